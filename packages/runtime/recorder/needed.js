// Which properties are recorded, where not all are.
const isSparse = options.needed !== undefined;
const needsElements = !isSparse || options.needed[0];
const neededNames = isSparse ? options.needed.slice(1) : [];
const neededSet = new Set(neededNames);

// Whether writes under a key are recorded. An object becomes a key that nobody knows, and may be any.
function isNeeded(key) {
  if (!isSparse || isObject(key)) return true;
  if (typeof key === 'number' || typeof key === 'bigint') return needsElements;
  if (typeof key === 'symbol') return false;
  if (typeof key !== 'string') return setHas(neededSet, `${key}`);
  if (setHas(neededSet, key)) return true;
  if (!needsElements || key === '') return false;
  const first = charCodeAt(key, 0);
  return key === 'length' || (first >= 48 && first <= 57);
}

// Whether copying these objects into another one can write a property that is recorded.
function holdsNeeded(sources, first) {
  if (needsElements) return true;
  for (let i = first; i < sources.length; i++) {
    const source = sources[i];
    if (!isObject(source)) continue;
    if (isProxy(source)) return true;
    for (let k = 0; k < neededNames.length; k++) if (hasOwn(source, neededNames[k])) return true;
  }
  return false;
}

function hasNeeded(o) {
  for (let i = 0; i < neededNames.length; i++) if (hasOwn(o, neededNames[i])) return true;
  return false;
}
