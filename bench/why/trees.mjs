// Small trees that are fitted together: each next one to what those before it leave unexplained. What is fitted is the chance of each
// place to be that of the defect, among those of its failure (a conditional logit).
const DEPTH = 3;
const N_SPLITS = 2 ** DEPTH - 1;
const N_BINS = 32;
const STEP = 0.1;
// Drawn to nought, and no leaf of next to nothing.
const DRAW = 2;
const LEAST = 1;

// `failures`: lists of `{ isCause, features }`. Gives trees, `{ splits: [[feature, limit]], leaves }`, as crates/query/src/why/trees.rs
// reads them.
export function grown(failures, { rounds = 120, without = new Set() } = {}) {
  const told = failures.filter((places) => places.some(({ isCause }) => isCause));
  const rows = told.flat();
  const nFeatures = rows[0].features.length;
  const features = Array.from({ length: nFeatures }, (_, number) => number).filter((number) => !without.has(number));
  const limits = features.map((number) => quantiles(rows, number));
  const bins = features.map((number, i) => Uint8Array.from(rows, (row) => binOf(limits[i], row.features[number])));
  const scores = new Float64Array(rows.length);
  const [slope, bend] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  const trees = [];
  for (let round = 0; round < rounds; round++) {
    derive(told, scores, slope, bend);
    const { tree, leafOf } = grownOne(features, limits, bins, slope, bend);
    leafOf.forEach((leaf, row) => { scores[row] += tree.leaves[leaf]; });
    trees.push(tree);
  }
  return trees;
}

export function score(trees, features) {
  let sum = 0;
  for (const { splits, leaves } of trees) {
    let at = 0;
    while (at < N_SPLITS) at = 2 * at + 1 + (features[splits[at][0]] > splits[at][1] ? 1 : 0);
    sum += leaves[at - N_SPLITS];
  }
  return sum;
}

// First and second derivative of the likelihood by the score of each place.
function derive(failures, scores, slope, bend) {
  let first = 0;
  for (const places of failures) {
    const own = scores.subarray(first, first + places.length);
    const highest = Math.max(...own);
    let [all, causes] = [0, 0];
    places.forEach(({ isCause }, i) => {
      const chance = Math.exp(own[i] - highest);
      all += chance;
      if (isCause) causes += chance;
    });
    places.forEach(({ isCause }, i) => {
      const chance = Math.exp(own[i] - highest);
      slope[first + i] = (isCause ? chance / causes : 0) - chance / all;
      bend[first + i] = (chance / all) * (1 - chance / all);
    });
    first += places.length;
  }
}

function grownOne(features, limits, bins, slope, bend) {
  const leafOf = new Uint8Array(slope.length);
  const splits = [];
  for (let depth = 0; depth < DEPTH; depth++) {
    const nodes = 2 ** depth;
    const found = bestSplits(nodes, features, limits, bins, slope, bend, leafOf);
    splits.push(...found.map(({ feature, limit }) => [feature, limit]));
    leafOf.forEach((leaf, row) => {
      const { column, bin } = found[leaf];
      leafOf[row] = 2 * leaf + (column !== undefined && bins[column][row] > bin ? 1 : 0);
    });
  }
  const sums = Array.from({ length: 2 ** DEPTH }, () => [0, 0]);
  leafOf.forEach((leaf, row) => {
    sums[leaf][0] += slope[row];
    sums[leaf][1] += bend[row];
  });
  return { tree: { splits, leaves: sums.map(([a, b]) => (STEP * a) / (b + DRAW)) }, leafOf };
}

function bestSplits(nodes, features, limits, bins, slope, bend, leafOf) {
  const best = Array.from({ length: nodes }, () => ({ gain: 1e-9, feature: 0, limit: 1e9 }));
  const [sumA, sumB] = [new Float64Array(nodes * N_BINS), new Float64Array(nodes * N_BINS)];
  features.forEach((feature, column) => {
    sumA.fill(0);
    sumB.fill(0);
    const binOfRow = bins[column];
    for (let row = 0; row < leafOf.length; row++) {
      const cell = leafOf[row] * N_BINS + binOfRow[row];
      sumA[cell] += slope[row];
      sumB[cell] += bend[row];
    }
    for (let node = 0; node < nodes; node++) {
      const cells = (sums) => sums.subarray(node * N_BINS, (node + 1) * N_BINS);
      const [a, b] = [cells(sumA), cells(sumB)];
      const [allA, allB] = [a.reduce((x, y) => x + y, 0), b.reduce((x, y) => x + y, 0)];
      let [leftA, leftB] = [0, 0];
      for (let bin = 0; bin < limits[column].length; bin++) {
        leftA += a[bin];
        leftB += b[bin];
        const [rightA, rightB] = [allA - leftA, allB - leftB];
        if (leftB < LEAST || rightB < LEAST) continue;
        const gain = leftA ** 2 / (leftB + DRAW) + rightA ** 2 / (rightB + DRAW) - allA ** 2 / (allB + DRAW);
        if (gain > best[node].gain) best[node] = { gain, feature, limit: limits[column][bin], column, bin };
      }
    }
  });
  return best;
}

// Values between which the rows are divided into about equal parts.
function quantiles(rows, feature) {
  const values = rows.map(({ features }) => features[feature]).sort((a, b) => a - b);
  const limits = new Set();
  for (let part = 1; part < N_BINS; part++) {
    const at = Math.floor((part * values.length) / N_BINS);
    // Rounded as it is written down; what is equal stays together.
    if (values[at] < values.at(-1)) limits.add(Number(values[at].toFixed(4)));
  }
  // What most have is a value like any other.
  if (limits.size === 0 && values[0] < values.at(-1)) limits.add(values[0]);
  return [...limits].sort((a, b) => a - b);
}

function binOf(limits, value) {
  let bin = 0;
  while (bin < limits.length && value > limits[bin]) bin++;
  return bin;
}
