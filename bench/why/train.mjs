// node why/train.mjs [--wherefore BIN] [--candidates BIN] [--cache DIR] [--most N] [--jobs N] [--kept] [--weights FILE]
// Fits the weights by which `why` ranks what it found, on the seeded defects of why/seeded, and prints how often the place of the defect is
// among the first ten and the first three: by the prices of the search, and by weights that were fitted without its package. `--kept`: on
// what an earlier run has collected, as far as it came.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { kept, samples as sampled } from './samples.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const release = path.join(here, '../../target/release');
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(release, 'wherefore') },
  candidates: { type: 'string', default: path.join(release, 'why_candidates') },
  cache: { type: 'string', default: path.join(here, '../../target/bench/seeded') },
  most: { type: 'string', default: '100000' },
  jobs: { type: 'string', default: '2' },
  kept: { type: 'boolean' },
  weights: { type: 'string' },
} });
const SHOWN = 10;
// Of the fit.
const ROUNDS = 250;
const STEP = 0.1;
const KEPT = 0.9;
const DRAW = 0.01;
// Weights that are fitted without a package are fitted without those of its group.
const GROUPS = 8;
const names = featureNames();
const all = options.kept ? kept(options.cache) : await sampled({ ...options, most: Number(options.most), jobs: Number(options.jobs) });
const samples = all.filter((sample) => sample.hops.length > 1);
const usable = samples.filter(({ hops }) => hops.some((hop) => hop.isCause));
const fit = usable.filter(({ form }) => form === 'own' || form === 'installed');
report();
if (options.weights) fs.writeFileSync(options.weights, rust(fitted(fit)));

// By the order of the search, and by weights that know nothing of the package. The weights choose where a test failed; the real bugs are
// scripts that use a package, of which the prices choose, and are no part of the fit.
function report() {
  const packages = [...new Set(samples.map((sample) => sample.package))].sort();
  const group = new Map(packages.map((name, number) => [name, number % GROUPS]));
  const left = Array.from({ length: GROUPS }, (_, number) => fitted(fit.filter((sample) => group.get(sample.package) !== number)));
  const order = names.map((name) => (name === 'order of being found' ? -1 : 0));
  const byPrices = samples.map((sample) => rank(sample, order));
  const byWeights = samples.map((sample) => rank(sample, left[group.get(sample.package)]));
  const byBoth = samples.map((sample) => (isToldByBoth(sample, order, left[group.get(sample.package)]) ? SHOWN : Infinity));
  console.log(`${samples.length} failures in ${packages.length} packages; the search came to the place of ${usable.length} of them\n`);
  console.log('| | failures | reached | within 3 by prices | by weights | within 10 by prices | by weights | half by each |\n|---|---|---|---|---|---|---|---|');
  for (const form of [...new Set(samples.map((sample) => sample.form))]) {
    const of = (list) => list.filter((_, number) => samples[number].form === form);
    const reached = of(samples).filter((sample) => usable.includes(sample)).length;
    console.log(`| ${form} | ${of(samples).length} | ${reached} | ${[3, SHOWN].flatMap((most) => [byPrices, byWeights].map((ranks) => share(of(ranks), most))).join(' | ')} | ${share(of(byBoth), SHOWN)} |`);
  }
  console.log('\n| feature | weight, beside how much it differs | within ten without it |\n|---|---|---|');
  const whole = fitted(fit);
  const scales = deviations(fit);
  const own = samples.filter((sample) => sample.form === 'own');
  names.forEach((name, number) => {
    const without = fitted(fit, number);
    console.log(`| ${name} | ${(whole[number] * scales[number]).toFixed(3)} | ${share(own.map((sample) => rank(sample, without)), SHOWN)} |`);
  });
}

function share(ranks, most) {
  const n = ranks.filter((at) => at <= most).length;
  return `${n} (${Math.round((100 * n) / ranks.length)} %)`;
}

// The failure itself is told first, so a cause is never the first.
function rank({ hops }, weights) {
  const shown = hops.slice(1);
  const best = Math.max(...hops.filter((hop) => hop.isCause).map((hop) => (hop === hops[0] ? Infinity : score(hop, weights))), -Infinity);
  if (best === -Infinity) return Infinity;
  return best === Infinity ? 1 : 2 + shown.filter((hop) => !hop.isCause && score(hop, weights) > best).length;
}

// As `why` tells it: the first half by one, what else there is room for by the other.
function isToldByBoth({ hops }, one, other) {
  const by = (weights, list) => [...list].sort((a, b) => score(b, weights) - score(a, weights));
  const isHarness = (hop) => hop.features[names.indexOf('library that tests or asserts')];
  const nearest = by(one, hops.slice(1)).sort((a, b) => isHarness(a) - isHarness(b)).slice(0, SHOWN / 2);
  const others = by(other, hops.slice(1).filter((hop) => !nearest.includes(hop))).slice(0, SHOWN - 1 - nearest.length);
  return [hops[0], ...nearest, ...others].some((hop) => hop.isCause);
}

function score({ features }, weights) {
  return features.reduce((sum, feature, number) => sum + feature * weights[number], 0);
}

// A conditional logit: the chance of each hop to be the cause, among those of its defect; by gradient ascent, drawn to nought. All features
// count by how much they differ.
function fitted(all, without) {
  const scales = deviations(all);
  const weights = names.map((name) => (name === 'order of being found' ? -1 : 0));
  if (without !== undefined) weights[without] = 0;
  const scaled = all.map(({ hops }) => hops.slice(1).map(({ isCause, features }) => ({ isCause, features: features.map((feature, number) => feature / scales[number]) })));
  const told = scaled.filter((hops) => hops.some((hop) => hop.isCause));
  const speed = names.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight) => -DRAW * weight);
    for (const hops of told) {
      const scores = hops.map((hop) => score(hop, weights));
      const highest = Math.max(...scores);
      const chances = scores.map((each) => Math.exp(each - highest));
      const sum = chances.reduce((a, b) => a + b, 0);
      const ofCauses = hops.reduce((a, hop, i) => a + (hop.isCause ? chances[i] : 0), 0);
      if (ofCauses === 0) continue;
      hops.forEach((hop, i) => {
        const pull = ((hop.isCause ? chances[i] / ofCauses : 0) - chances[i] / sum) / told.length;
        hop.features.forEach((feature, number) => { slope[number] += pull * feature; });
      });
    }
    if (without !== undefined) slope[without] = 0;
    slope.forEach((by, number) => {
      speed[number] = KEPT * speed[number] + by;
      weights[number] += STEP * speed[number];
    });
  }
  return weights.map((weight, number) => weight / scales[number]);
}

function deviations(all) {
  const rows = all.flatMap(({ hops }) => hops.map(({ features }) => features));
  return names.map((_, number) => {
    const mean = rows.reduce((sum, row) => sum + row[number], 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + (row[number] - mean) ** 2, 0) / rows.length;
    return Math.sqrt(variance) || 1;
  });
}

function featureNames() {
  const source = fs.readFileSync(path.join(here, '../../crates/query/src/why/features.rs'), 'utf8');
  return [.../FEATURES: [^=]*= \[([^\]]*)\]/.exec(source)[1].matchAll(/"([^"]*)"/g)].map(([, name]) => name);
}

function rust(weights) {
  const lines = weights.map((weight, number) => `    ${weight.toFixed(4)}, // ${names[number]}`);
  return `//! How much each feature of a hop counts. Made by \`cargo xtask train why\`: never change a number by hand.

use super::features::N_FEATURES;

pub(super) const WEIGHTS: [f64; N_FEATURES] = [
${lines.join('\n')}
];
`;
}
