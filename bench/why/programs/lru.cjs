// A cache that forgets what was used longest ago; a doubly linked list holds the order.
const assert = require('node:assert');

function makeCache(limit) {
  const head = { key: null };
  const tail = { key: null };
  head.next = tail;
  tail.previous = head;
  return { limit, head, tail, nodes: new Map(), hits: 0, misses: 0 };
}

function unlink(node) {
  node.previous.next = node.next;
  node.next.previous = node.previous;
}

function linkFirst(cache, node) {
  node.next = cache.head.next;
  node.previous = cache.head;
  node.next.previous = node;
  cache.head.next = node;
}

function get(cache, key) {
  const node = cache.nodes.get(key);
  if (node === undefined) {
    cache.misses++;
    return undefined;
  }
  cache.hits++;
  unlink(node);
  linkFirst(cache, node);
  return node.value;
}

function set(cache, key, value) {
  let node = cache.nodes.get(key);
  if (node !== undefined) {
    node.value = value;
    unlink(node);
  } else {
    node = { key, value };
    cache.nodes.set(key, node);
  }
  linkFirst(cache, node);
  if (cache.nodes.size > cache.limit) evict(cache);
}

function evict(cache) {
  const oldest = cache.tail.previous;
  unlink(oldest);
  cache.nodes.delete(oldest.key);
}

function keys(cache) {
  const found = [];
  for (let node = cache.head.next; node !== cache.tail; node = node.next) found.push(node.key);
  return found;
}

function memoized(cache, compute) {
  return (n) => {
    const known = get(cache, n);
    if (known !== undefined) return known;
    const value = compute(n);
    set(cache, n, value);
    return value;
  };
}

// checks
const cache = makeCache(3);
const square = memoized(cache, (n) => n * n);
const results = [4, 5, 4, 6, 7, 5].map(square);
assert.deepStrictEqual(results, [16, 25, 16, 36, 49, 25]);
assert.deepStrictEqual(keys(cache), [5, 7, 6]);
if (cache.hits !== 1 || cache.misses !== 5) throw new Error(`${cache.hits} hits and ${cache.misses} misses`);
