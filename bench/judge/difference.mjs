/**
 * The nearest place where two graphs of objects are not alike, from pairs of a place and its two values; undefined if they are: one to one
 * between the objects of the two sides, with the same keys and alike values.
 */
export function difference(pairs) {
  const there = new Map();
  const back = new Map();
  const left = [...pairs];
  for (let i = 0; i < left.length; i++) {
    const [place, a, b] = left[i];
    if (!isObject(a) || !isObject(b)) {
      if (!Object.is(a, b)) return place;
      continue;
    }
    if (there.has(a) || back.has(b)) {
      if (there.get(a) !== b || back.get(b) !== a) return place;
      continue;
    }
    there.set(a, b);
    back.set(b, a);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return place;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (!Object.hasOwn(a, key) || !Object.hasOwn(b, key)) return member(place, a, key);
      left.push([member(place, a, key), a[key], b[key]]);
    }
    if (Array.isArray(a) && a.length !== b.length) return `${place}.length`;
  }
  return undefined;
}

function member(place, object, key) {
  return Array.isArray(object) ? `${place}[${key}]` : `${place}.${key}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
