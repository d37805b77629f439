// What a look takes of each class of object.
function takeElements(array, length, prototype) {
  const n = length < MOST_ELEMENTS ? length : MOST_ELEMENTS;
  const simple = !arraysHaveAccessors;
  if (n > 4 && hasNoElement(array, prototype)) return;
  const readFirst = simple && canReadHoles(prototype);
  cut = n < length;
  if (readFirst) readElements(array, n);
  else {
    for (let i = 0; i < n; i++) {
      if (entries >= budget) {
        cut = true;
        break;
      }
      if (simple) {
        if (!hasOwn(array, i)) continue;
        fillIndex(i);
        fillInner(array[i]);
      } else {
        const d = getOwnPropertyDescriptor(array, i);
        if (d === undefined) continue;
        fillIndex(i);
        fillDescribed(d);
      }
      entries++;
    }
  }
  // The result of a match.
  if (hasOwn(array, 'index') && hasOwn(array, 'input')) {
    takeProperty(array, 'index');
    takeProperty(array, 'input');
  }
}

// Reading a hole goes on to the prototypes. Where these can have no accessors, only what reads as undefined need be asked for.
function canReadHoles(prototype) {
  return holesAreSafe && prototype === ArrayPrototype && getPrototypeOf(ArrayPrototype) === ObjectPrototype;
}

// As `new Array(n)`, which is frequent. False may also mean that it is not known.
function hasNoElement(array, prototype) {
  if (hasOwn(array, 0)) return false;
  const asksElements = !arraysHaveAccessors && array.length <= MOST_ELEMENTS && canReadHoles(prototype);
  return asksElements ? !some(array, isThere) : ownKeys(array).length === 1;
}

// Holes are not asked.
const isThere = () => true;

// What most arrays hold is written here, all else by fillInner.
function readElements(array, n) {
  let end = filled;
  for (let i = 0; i < n; i++) {
    if (entries >= budget) {
      cut = true;
      break;
    }
    const x = array[i];
    if (x === undefined && !hasOwn(array, i)) continue;
    scratch[end] = TAG.INTEGER;
    scratch[end + 1] = i;
    end += 2;
    entries++;
    if (typeof x === 'number') {
      const integer = x | 0;
      if (integer === x && (integer !== 0 || 1 / x > 0)) {
        scratch[end] = TAG.INTEGER;
        scratch[end + 1] = integer;
        end += 2;
        continue;
      }
    } else if (typeof x === 'object' && x !== null) {
      const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
      if (stamp > 0) {
        scratch[end] = TAG.OBJECT;
        scratch[end + 1] = stamp;
        end += 2;
        continue;
      }
    }
    filled = end;
    fillInner(x);
    end = filled;
  }
  filled = end;
}

let looksLikeArguments = false;

function takeProperties(o) {
  const keys = ownKeys(o);
  const n = keys.length;
  looksLikeArguments = false;
  if (n > 0 && weakGet(opaque, o) !== undefined) {
    cut = true;
    return 0;
  }
  let i = 0;
  for (; i < n && entries < MOST_PROPERTIES && entries < budget; i++) takeProperty(o, keys[i]);
  cut = i < n;
  return n;
}

// Of the properties only those that are needed: nobody will ask for others.
function takeNeeded(o) {
  looksLikeArguments = hasOwn(o, iteratorSymbol) && getOwnPropertyDescriptor(o, iteratorSymbol).value === arrayValues;
  if (weakGet(opaque, o) !== undefined) {
    cut = true;
    return 0;
  }
  if (!needsElements) {
    for (let i = 0; i < neededNames.length; i++) if (hasOwn(o, neededNames[i])) takeProperty(o, neededNames[i]);
    return entries;
  }
  const keys = ownKeys(o);
  for (let i = 0; i < keys.length; i++) {
    if (!isNeeded(keys[i])) continue;
    if (entries >= MOST_PROPERTIES || entries >= budget) {
      cut = true;
      break;
    }
    takeProperty(o, keys[i]);
  }
  return entries;
}

function takeProperty(o, key) {
  const keyStart = filled;
  fill(key);
  // V8 formats the trace when an own `stack` is asked for, which may call the program's Error.prepareStackTrace.
  if (key === 'stack') scratch[filled++] = TAG.NOT_CAPTURED;
  else {
    const d = getOwnPropertyDescriptor(o, key);
    if (d === undefined) {
      filled = keyStart;
      return;
    }
    if (key === iteratorSymbol && hasOwn(d, 'value') && d.value === arrayValues) looksLikeArguments = true;
    if (key === 'constructor' && hasOwn(d, 'value') && isTaken(d.value) && prototypeProperty(d.value) === o) constructor = d.value;
    fillDescribed(d);
  }
  entries++;
}

function takeMap(map) {
  const iterator = mapEntries(map);
  while (entries < MOST_ELEMENTS && entries < budget) {
    const step = mapNext(iterator);
    if (step.done) break;
    fillInner(step.value[0]);
    fillInner(step.value[1]);
    entries++;
  }
}

function takeSet(set) {
  const iterator = setValues(set);
  while (entries < MOST_ELEMENTS && entries < budget) {
    const step = setNext(iterator);
    if (step.done) break;
    fillInner(step.value);
    scratch[filled++] = TAG.TRUE;
    entries++;
  }
}

// V8 has them in no order: those that were met before come first, in the order in which they were.
function takeWeak(o) {
  const isMap = passes(weakMapBrand, o);
  const held = entriesOf !== undefined && (isMap || passes(weakSetBrand, o)) ? entriesOf(o) : undefined;
  if (held === undefined) {
    cut = true;
    return 0;
  }
  const width = isMap ? 2 : 1;
  const size = held.length / width;
  const places = new Places(size < MOST_SORTED ? size : MOST_SORTED);
  for (let i = 0; i < places.length; i++) {
    const key = held[i * width];
    const number = isObject(key) && stampOf(key) !== undefined ? numberOf(key) : 2 ** 31;
    places[i] = number * MOST_SORTED + i;
  }
  sortNumbers(places);
  for (let k = 0; k < places.length && entries < MOST_ELEMENTS && entries < budget; k++) {
    const i = (places[k] % MOST_SORTED) * width;
    fillInner(held[i]);
    if (isMap) fillInner(held[i + 1]);
    else scratch[filled++] = TAG.TRUE;
    entries++;
  }
  cut = entries < size;
  return size;
}

const Places = Float64Array;
const MOST_SORTED = 2 ** 20;
const weakMapBrand = (o) => weakMapHas(o, o);
const weakSetBrand = (o) => weakSetHas(o, o);

function takeBinary(o) {
  let elements = o;
  let size;
  try {
    size = typedLength(o);
  } catch {
    try {
      size = bufferLength(o);
      elements = new BytesOf(o);
    } catch {
      return 0;
    }
  }
  for (; entries < MOST_BYTES && entries < size; entries++) {
    fillIndex(entries);
    fill(elements[entries]);
  }
  return size;
}

// What a Date, a RegExp or a boxed primitive stands for has the key undefined.
function takeInternal(o, kind) {
  scratch[filled++] = TAG.UNDEFINED;
  if (kind === CLASS.DATE) fill(dateTime(o));
  else if (kind === CLASS.REG_EXP) fill(regExpSource(o));
  else fill(unboxed(o));
  entries++;
}

function unboxed(o) {
  for (let i = 0; i < unbox.length; i++) {
    try {
      return unbox[i](o);
    } catch {
      // Another kind of box.
    }
  }
  return undefined;
}

function fillIndex(i) {
  scratch[filled] = TAG.INTEGER;
  scratch[filled + 1] = i;
  filled += 2;
}

function fill(x) {
  encode(x);
  fillEncoded();
}

function fillDescribed(descriptor) {
  if (hasOwn(descriptor, 'value')) {
    if (!descriptor.writable) mayRefuse = true;
    fillInner(descriptor.value);
  } else {
    mayRefuse = true;
    scratch[filled++] = TAG.ACCESSOR;
  }
}

// As fill, but an object is only mentioned, and queued where its contents are to follow.
function fillInner(x) {
  if (!isObject(x)) {
    fill(x);
    return;
  }
  const stamp = stampOf(x);
  const id = stamp > 0 ? stamp : mention(x);
  scratch[filled] = TAG.OBJECT;
  scratch[filled + 1] = id;
  filled += 2;
  if (stamp > 0) return;
  if (typeof x === 'object' && queued < MOST_ENTRIES && isMentioned(x) && isPlainOrArray(x)) queue[queued++] = x;
}

function fillEncoded() {
  scratch[filled++] = tag;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) scratch[filled++] = low;
  if (tag === TAG.DOUBLE) scratch[filled++] = high;
}

function isPlainOrArray(o) {
  if (isArray(o)) return true;
  const prototype = getPrototypeOf(o);
  if (prototype === null) return !isNamespace(o);
  return prototype === ObjectPrototype || weakGet(plainPrototypes, prototype) !== undefined;
}

function nameOf(f) {
  const d = getOwnPropertyDescriptor(f, 'name');
  if (d === undefined || !hasOwn(d, 'value')) return 0;
  const name = d.value;
  return typeof name === 'string' && name !== '' ? stringNumber(name) : 0;
}

function constructorName(prototype) {
  if (isUnstampable(prototype)) return 0;
  const d = getOwnPropertyDescriptor(prototype, 'constructor');
  if (d === undefined || !hasOwn(d, 'value')) return 0;
  const constructor = d.value;
  if (typeof constructor !== 'function') return 0;
  mention(constructor);
  return isUnstampable(constructor) ? 0 : nameOf(constructor);
}
