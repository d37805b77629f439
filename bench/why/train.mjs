// node why/train.mjs [--wherefore BIN] [--candidates BIN] [--cache DIR] [--most N] [--jobs N] [--weights FILE]
// Fits the weights by which `why` ranks what it found, on the seeded defects of why/seeded, and prints how often the place of the defect is
// among the first ten and the first three: by today's prices, and by weights that were fitted without its package.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { samples as sampled } from './samples.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const release = path.join(here, '../../target/release');
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(release, 'wherefore') },
  candidates: { type: 'string', default: path.join(release, 'why_candidates') },
  cache: { type: 'string', default: path.join(here, '../../target/bench/seeded') },
  most: { type: 'string', default: '100000' },
  jobs: { type: 'string', default: '2' },
  weights: { type: 'string' },
} });
const SHOWN = 10;
// Of the fit.
const ROUNDS = 400;
const STEP = 0.3;
const DRAW = 0.01;
const names = featureNames();
const all = await sampled({ ...options, most: Number(options.most), jobs: Number(options.jobs) });
const samples = all.filter((sample) => sample.hops.length > 1);
const usable = samples.filter(({ hops }) => hops.some((hop) => hop.isCause));
report();
if (options.weights) fs.writeFileSync(options.weights, rust(fitted(usable)));

// By the order of the search, as it was before there were weights; and by weights that know nothing of the package.
function report() {
  const packages = [...new Set(samples.map((sample) => sample.package))];
  const prices = names.map((name) => (name === 'price of the way' ? -1 : 0));
  const left = new Map(packages.map((name) => [name, fitted(usable.filter((sample) => sample.package !== name))]));
  const ranks = (weightsOf) => samples.map((sample) => rank(sample, weightsOf(sample)));
  const rows = [['prices', ranks(() => prices)], ['fitted without its package', ranks((sample) => left.get(sample.package))]];
  console.log(`${samples.length} defects in ${packages.length} packages; the search came to ${usable.length} of them\n`);
  console.log('| ranked by | within 3 | within 10 |\n|---|---|---|');
  for (const [title, all] of rows) console.log(`| ${title} | ${share(all, 3)} | ${share(all, SHOWN)} |`);
  console.log('\n| feature | weight | within ten without it |\n|---|---|---|');
  const whole = fitted(usable);
  names.forEach((name, number) => {
    const without = fitted(usable, number);
    console.log(`| ${name} | ${whole[number].toFixed(3)} | ${share(samples.map((sample) => rank(sample, without)), SHOWN)} |`);
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

function score({ features }, weights) {
  return features.reduce((sum, feature, number) => sum + feature * weights[number], 0);
}

// A conditional logit: the chance of each hop to be the cause, among those of its defect; by gradient ascent, drawn to nought.
function fitted(all, without) {
  const weights = names.map((name) => (name === 'price of the way' ? -1 : 0));
  if (without !== undefined) weights[without] = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight) => -DRAW * weight);
    for (const { hops } of all) {
      const shown = hops.slice(1);
      const chances = shown.map((hop) => Math.exp(Math.max(-30, Math.min(30, score(hop, weights)))));
      const sum = chances.reduce((a, b) => a + b, 0);
      const ofCauses = shown.reduce((a, hop, i) => a + (hop.isCause ? chances[i] : 0), 0);
      if (ofCauses === 0) continue;
      shown.forEach((hop, i) => {
        const pull = ((hop.isCause ? chances[i] / ofCauses : 0) - chances[i] / sum) / all.length;
        hop.features.forEach((feature, number) => { slope[number] += pull * feature; });
      });
    }
    if (without !== undefined) slope[without] = 0;
    slope.forEach((by, number) => { weights[number] += STEP * by; });
  }
  return weights;
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
