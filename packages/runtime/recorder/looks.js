// Looks: what an object holds, written when it is first used.
const MOST_ELEMENTS = 1000;
const MOST_BYTES = 64;
const MOST_PROPERTIES = 256;
const MOST_ENTRIES = 5000;

const opaque = new WeakMap();
weakSet(opaque, theGlobal, true);
for (const o of options.opaque ?? []) weakSet(opaque, o, true);

// Whether an own index of some array may be an accessor; set by the wrapper of Object.defineProperty.
let arraysHaveAccessors = options.watchesDefinitions === false;
let holesAreSafe = options.watchesDefinitions === true;

// The look being collected: LOOK_HEAD words, then the entries. An entry takes at most 6 words.
const LOOK_HEAD = 6;
var scratch = new Int32Array(LOOK_HEAD + 6 * (MOST_ELEMENTS + 3));
var filled = 0;
var entries = 0;
// Objects met in a look that are to be looked at as well, breadth first.
const queue = new Array(MOST_ENTRIES).fill(null);
var queued = 0;
var budget = 0;

// Writes what a stamped object holds, and with it the plain objects and arrays inside.
function takeLook(o, number) {
  budget = MOST_ENTRIES;
  queued = 0;
  lookAt(o, number, -1);
  for (let i = 0; i < queued; i++) {
    const inner = queue[i];
    queue[i] = null;
    if (isTaken(inner) || budget <= 0) continue;
    const id = numberOf(inner);
    setStamp(inner, id);
    lookAt(inner, id, -1);
  }
}

// Whether the look being made leaves entries out.
let cut = false;

function lookAt(o, number, knownClass) {
  filled = LOOK_HEAD;
  entries = 0;
  cut = false;
  mayRefuse = false;
  let size = 0;
  let name = 0;
  const prototype = getPrototypeOf(o);
  const prototypeNumber = prototype === null ? 0 : prototype === ArrayPrototype ? numberOfArrayPrototype() : mention(prototype);
  let kind = knownClass < 0 ? classOf(o, prototype, prototypeNumber) : knownClass;
  if (kind === CLASS.FUNCTION) name = nameOf(o);
  else if (kind !== CLASS.PLAIN && prototype !== null && prototype !== ArrayPrototype) {
    const slot = prototypeNumber & (NAMED_PROTOTYPES - 1);
    name = namesOfPrototypes[slot];
    if (namedPrototypes[slot] !== prototypeNumber) {
      namedPrototypes[slot] = prototypeNumber;
      namesOfPrototypes[slot] = name = constructorName(prototype);
      // What instances inherit is told once, behind the first of them.
      if (isMentioned(prototype) && mapGet(classes, prototype) === undefined && queued < MOST_ENTRIES) queue[queued++] = prototype;
    }
  }
  switch (kind) {
    case CLASS.FUNCTION:
    case CLASS.PROMISE:
    case CLASS.NAMESPACE:
      cut = true;
      break;
    case CLASS.WEAK:
      if (needsElements) size = takeWeak(o);
      break;
    case CLASS.ARRAY:
    case CLASS.ARGUMENTS:
      size = o.length;
      if (needsElements) takeElements(o, size, prototype);
      else takeNeeded(o);
      break;
    case CLASS.MAP:
      size = mapSize(o);
      if (needsElements) {
        takeMap(o);
        cut = entries < size;
      }
      break;
    case CLASS.SET:
      size = setSize(o);
      if (needsElements) {
        takeSet(o);
        cut = entries < size;
      }
      break;
    case CLASS.BINARY:
      if (needsElements) {
        size = takeBinary(o);
        cut = entries < size;
      }
      break;
    case CLASS.DATE:
    case CLASS.REG_EXP:
    case CLASS.BOXED:
      takeInternal(o, kind);
      size = 1;
      break;
    default:
      // Of an error, its message tells a person what it is.
      if (kind === CLASS.ERROR) putMessageRight(o);
      size = isSparse && kind !== CLASS.ERROR ? takeNeeded(o) : takeProperties(o);
      if (kind === CLASS.PLAIN && looksLikeArguments) kind = CLASS.ARGUMENTS;
  }
  ensure(filled);
  const at = cursor;
  words[at + 1] = number;
  words[at + 2] = prototypeNumber;
  words[at + 3] = name;
  words[at + 4] = size;
  words[at + 5] = entries;
  for (let i = LOOK_HEAD; i < filled; i++) words[at + i] = scratch[i];
  words[at] = (kind << LAYOUT.ARGUMENT_SHIFT) | (cut ? LAYOUT.LOOK_CUT : 0) | HEADER.LOOK;
  cursor = at + filled;
  budget -= entries;
  if (mayRefuse || !isExtensible(o)) restrict(o);
  if (constructor !== undefined) {
    const f = constructor;
    constructor = undefined;
    effectOwn(OPERATION.DEFINE_PROPERTY, f, 'prototype');
  }
}

// Whether it is known what instances with this prototype are.
function isKnownPrototype(number) {
  const at = number & (NAMED_PROTOTYPES - 1);
  return number > 0 && instancePrototypes[at] === number && namedPrototypes[at] === number;
}

// Whether a look would find nothing in an object that was just numbered, and nothing about it that is out of the ordinary. The
// prototype is known by its number, or its negative if it was only mentioned.
function isEmptyInstance(o, prototypeNumber) {
  if (!isKnownPrototype(prototypeNumber) || typeof o !== 'object' || isArray(o) || isOpaque(o)) return false;
  const holds = isSparse ? needsElements || hasNeeded(o) : enumerableKeys(o).length > 0 || ownKeys(o).length > 0;
  return !holds && isExtensible(o);
}

function isEmptyArray(o, prototypeNumber) {
  if (arrayPrototypeNumber === 0 || (prototypeNumber !== arrayPrototypeNumber && prototypeNumber !== -arrayPrototypeNumber)) return false;
  return isArray(o) && !(isSparse && hasNeeded(o)) && hasNoElement(o, ArrayPrototype) && isExtensible(o);
}

function emptyInstanceLook(id, prototypeNumber) {
  emptyLook(CLASS.INSTANCE, id, prototypeNumber, namesOfPrototypes[prototypeNumber & (NAMED_PROTOTYPES - 1)], 0);
}

function emptyLook(kind, id, prototypeNumber, name, size) {
  if (cursor > limit) nextChunk();
  const at = cursor;
  words[at + 1] = id;
  words[at + 2] = prototypeNumber;
  words[at + 3] = name;
  words[at + 4] = size;
  words[at + 5] = 0;
  words[at] = (kind << LAYOUT.ARGUMENT_SHIFT) | HEADER.LOOK;
  cursor = at + LOOK_HEAD;
}

const opaqueObjects = options.opaque ?? [];

function isOpaque(o) {
  for (let i = 0; i < opaqueObjects.length; i++) if (opaqueObjects[i] === o) return true;
  return false;
}

// The function whose prototype the object is that is being looked at.
var constructor;
// Whether a property was seen in it that cannot be written.
var mayRefuse = false;

// There are few prototypes, and their names are looked for at every instance.
const NAMED_PROTOTYPES = 1024;
const namedPrototypes = new Int32Array(NAMED_PROTOTYPES);
const namesOfPrototypes = new Int32Array(NAMED_PROTOTYPES);

let arrayPrototypeNumber = 0;

function numberOfArrayPrototype() {
  if (arrayPrototypeNumber === 0) arrayPrototypeNumber = mention(ArrayPrototype);
  return arrayPrototypeNumber;
}
