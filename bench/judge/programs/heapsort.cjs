'use strict';
// Heap sort of numbers, and the median of what was sorted.

function left(i) {
  return 2 * i + 1;
}

function right(i) {
  return 2 * i + 2;
}

function lastParent(size) {
  return Math.floor(size / 2) - 1;
}

function swap(items, i, j) {
  const kept = items[i];
  items[i] = items[j];
  items[j] = kept;
}

function largestOf(items, i, size) {
  let largest = i;
  const l = left(i);
  const r = right(i);
  if (l < size && items[l] > items[largest]) largest = l;
  if (r < size && items[r] > items[largest]) largest = r;
  return largest;
}

function siftDown(items, i, size) {
  const largest = largestOf(items, i, size);
  if (largest === i) return;
  swap(items, i, largest);
  siftDown(items, largest, size);
}

function buildHeap(items) {
  for (let i = lastParent(items.length); i >= 0; i--) siftDown(items, i, items.length);
}

function takeLargest(items, size) {
  swap(items, 0, size - 1);
  siftDown(items, 0, size - 1);
}

function heapSort(items) {
  buildHeap(items);
  for (let size = items.length; size > 1; size--) takeLargest(items, size);
}

function median(sorted) {
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

function main(input) {
  const items = [...input.numbers];
  heapSort(items);
  console.log('sorted', items.join(' '));
  console.log('median', median(items));
}

const INPUTS = {
  usual: { numbers: [5, 13, 2, 25, 7, 17] },
  small: { numbers: [1, 3, 2] },
};

module.exports = { left, right, lastParent, swap, largestOf, siftDown, buildHeap, takeLargest, heapSort, median, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
