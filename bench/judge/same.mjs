/** Whether the pairs are alike: one to one between the objects of the two sides, with the same keys and alike values. */
export function isSameGraph(pairs) {
  const there = new Map();
  const back = new Map();
  const left = [...pairs];
  while (left.length > 0) {
    const [a, b] = left.pop();
    if (!isObject(a) || !isObject(b)) {
      if (!Object.is(a, b)) return false;
      continue;
    }
    if (there.has(a) || back.has(b)) {
      if (there.get(a) !== b || back.get(b) !== a) return false;
      continue;
    }
    there.set(a, b);
    back.set(b, a);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (Array.isArray(a) && a.length !== b.length) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      left.push([a[key], b[key]]);
    }
  }
  return true;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
