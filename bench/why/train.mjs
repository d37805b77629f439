// node why/train.mjs [--wherefore BIN] [--candidates BIN] [--cache DIR] [--most N] [--jobs N] [--kept] [--weights FILE]
// Fits the trees by which `why` ranks what it found, on the seeded defects of why/seeded, and prints how often the place of the defect is
// among the first ten and the first three: by the prices of the search, and by trees that were fitted without its package. `--kept`: on
// what an earlier run has collected, as far as it came.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { changedLately, randomNumbers } from './changes.mjs';
import { kept, samples as sampled } from './samples.mjs';
import { grown, score } from './trees.mjs';

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
const ROUNDS = 80;
// Trees that are fitted without a package are fitted without those of its group.
const GROUPS = 5;
const names = featureNames();
const all = options.kept ? kept(options.cache) : await sampled({ ...options, most: Number(options.most), jobs: Number(options.jobs) });
const samples = all.filter((sample) => sample.hops.length > 1);
const seeded = samples.filter(({ form }) => form === 'own' || form === 'installed');
if (options.weights) fs.writeFileSync(options.weights, rust(fitted(seeded)));
report();

// By the order of the search, and by trees that know nothing of the package. The trees choose where a test failed; the real bugs are
// scripts that use a package, of which the prices choose, and are no part of the fit.
function report() {
  const packages = [...new Set(samples.map((sample) => sample.package))].sort();
  const group = new Map(packages.map((name, number) => [name, number % GROUPS]));
  const left = Array.from({ length: GROUPS }, (_, number) => fitted(seeded.filter((sample) => group.get(sample.package) !== number)));
  const byTrees = (sample) => rank(sample, (features) => score(left[group.get(sample.package)], features));
  const order = names.indexOf('order of being found');
  const byPrices = (sample) => rank(sample, (features) => -features[order]);
  const isReached = ({ hops }) => hops.some((hop) => hop.isCause);
  console.log(`${samples.length} failures in ${packages.length} packages; the search came to the place of ${samples.filter(isReached).length} of them\n`);
  const asTold = (sample) => (isTold(sample, left[group.get(sample.package)], order) ? SHOWN : Infinity);
  console.log('| | failures | reached | within 3 by prices | by trees | within 10 by prices | by trees | as it is told |\n|---|---|---|---|---|---|---|---|');
  const forms = new Map([...new Set(samples.map((sample) => sample.form))].map((form) => [form, samples.filter((sample) => sample.form === form)]));
  const changed = changedLately(seeded, randomNumbers(2), names);
  forms.set('own, what was changed lately is known', changed.filter(({ form }) => form === 'own'));
  for (const [form, of] of forms) {
    const shares = [3, SHOWN].flatMap((most) => [byPrices, byTrees].map((ranked) => share(of.map(ranked), most)));
    console.log(`| ${form} | ${of.length} | ${of.filter(isReached).length} | ${shares.join(' | ')} | ${share(of.map(asTold), SHOWN)} |`);
  }
  console.log('\n| feature | questions about it | own within ten, when it is that of another place |\n|---|---|---|');
  const own = samples.filter((sample) => sample.form === 'own');
  names.forEach((name, number) => {
    const n = left.flat().flatMap(({ splits }) => splits).filter(([feature, limit]) => feature === number && limit < 1e9).length / GROUPS;
    console.log(`| ${name} | ${n.toFixed(0)} | ${share(shuffled(own, number).map(byTrees), SHOWN)} |`);
  });
}

function fitted(all) {
  // What was changed lately is known of half of them.
  const both = [...all, ...changedLately(all, randomNumbers(1), names)];
  return grown(both.map(({ hops }) => hops.slice(1)), { rounds: ROUNDS });
}

function share(ranks, most) {
  const n = ranks.filter((at) => at <= most).length;
  return `${n} (${Math.round((100 * n) / ranks.length)} %)`;
}

// The failure itself is told first, so a cause is never the first.
function rank({ hops }, scored) {
  if (hops[0].isCause) return 1;
  const scores = hops.map((hop) => scored(hop.features));
  const best = Math.max(...hops.map((hop, i) => (hop.isCause ? scores[i] : -Infinity)));
  if (best === -Infinity) return Infinity;
  return 2 + hops.slice(1).filter((hop, i) => !hop.isCause && scores[i + 1] >= best).length;
}

// As `why` tells it: what was nearest, then what ranks highest and is not beside a line that is told already.
function isTold({ hops, form }, trees, order) {
  const isHarness = (hop) => hop.features[names.indexOf('library that tests or asserts')];
  const shown = hops.slice(1).map((hop) => ({ ...hop, rank: score(trees, hop.features) }));
  const nearest = shown.toSorted((a, b) => a.features[order] - b.features[order]).sort((a, b) => isHarness(a) - isHarness(b));
  const told = nearest.splice(0, Math.floor(SHOWN / (form === 'own' ? 3 : 2)));
  const rest = nearest.sort((a, b) => b.rank - a.rank);
  while (told.length + 1 < SHOWN && rest.length > 0) {
    const best = rest.findIndex((hop) => !told.some((other) => isBeside(hop, other)));
    told.push(...rest.splice(Math.max(best, 0), 1));
  }
  return [hops[0], ...told].some((hop) => hop.isCause);
}

function isBeside(one, other) {
  const [[file, line], [otherFile, otherLine]] = [one, other].map(({ places }) => /^([^|]*):(\d+)/.exec(places)?.slice(1) ?? []);
  return file !== undefined && file === otherFile && Math.abs(line - otherLine) <= 1;
}

// One feature of each place is that of another place of the same failure.
function shuffled(all, feature) {
  const random = randomNumbers(3);
  return all.map((sample) => {
    const values = sample.hops.map((hop) => hop.features[feature]);
    const other = () => values[Math.floor(random() * values.length)];
    return { ...sample, hops: sample.hops.map((hop) => ({ ...hop, features: hop.features.with(feature, other()) })) };
  });
}

function featureNames() {
  const source = fs.readFileSync(path.join(here, '../../crates/query/src/why/features.rs'), 'utf8');
  return [.../FEATURES: [^=]*= \[([^\]]*)\]/.exec(source)[1].matchAll(/"([^"]*)"/g)].map(([, name]) => name);
}

function rust(trees) {
  const float = (number) => (Number.isInteger(number) ? `${number}.0` : String(Number(number.toFixed(4))));
  const shown = trees.map(({ splits, leaves }) => {
    const questions = splits.map(([feature, limit]) => `Split(${feature}, ${float(limit)})`).join(', ');
    return `    Tree { splits: [${questions}], leaves: [${leaves.map(float).join(', ')}] },`;
  });
  return `//! The trees by which hops are ranked. Made by \`cargo xtask train why\`: never change a number by hand.

use super::trees::{Split, Tree};

#[rustfmt::skip]
#[expect(clippy::approx_constant, reason = "logarithms of small numbers are limits of features")]
pub(super) const TREES: [Tree; ${trees.length}] = [
${shown.join('\n')}
];
`;
}
