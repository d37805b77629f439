// What an object is, asked without running code of the program.
const classes = new Map();
const brands = new Map();
{
  const known = (constructor, kind, brand) => {
    if (constructor === undefined) return;
    mapSet(classes, constructor.prototype, kind);
    mapSet(brands, constructor.prototype, brand);
  };
  const yes = () => true;
  known(Map, CLASS.MAP, mapSize);
  known(Set, CLASS.SET, setSize);
  known(Date, CLASS.DATE, dateTime);
  known(RegExp, CLASS.REG_EXP, regExpBrand(getter(RegExp.prototype, 'global')));
  known(Error, CLASS.ERROR, yes);
  known(Promise, CLASS.PROMISE, yes);
  known({ prototype: TypedArrayPrototype }, CLASS.BINARY, typedLength);
  known(ArrayBuffer, CLASS.BINARY, bufferLength);
  if (typeof SharedArrayBuffer === 'function') known(SharedArrayBuffer, CLASS.BINARY, yes);
  known(DataView, CLASS.BINARY, yes);
  const boxes = [Number, String, Boolean, Symbol, BigInt];
  for (let i = 0; i < boxes.length; i++) known(boxes[i], CLASS.BOXED, unbox[i]);
  known(WeakMap, CLASS.WEAK, yes);
  known(WeakSet, CLASS.WEAK, yes);
  known(WeakRef, CLASS.WEAK, yes);
  known({ prototype: ObjectPrototype }, CLASS.INSTANCE, yes);
}

// What literals of other realms inherit from.
const plainPrototypes = new WeakMap();

function knowRealm(literal) {
  weakSet(plainPrototypes, getPrototypeOf(literal), true);
}

// Built-ins of other realms inherit from nothing that is known here.
const { otherKinds } = options;
const KINDS_ELSEWHERE = [CLASS.MAP, CLASS.SET, CLASS.DATE, CLASS.REG_EXP, CLASS.ERROR, CLASS.PROMISE, CLASS.BINARY, CLASS.BINARY, CLASS.BOXED, CLASS.WEAK, CLASS.WEAK];
const NATIVE_ERROR = 4;

function otherKind(o) {
  if (otherKinds === undefined) return CLASS.INSTANCE;
  for (let i = 0; i < KINDS_ELSEWHERE.length; i++) if (otherKinds[i](o)) return KINDS_ELSEWHERE[i];
  return CLASS.INSTANCE;
}

// The getter answers undefined for %RegExp.prototype% itself and throws for everything that is no regular expression.
function regExpBrand(isGlobal) {
  return (o) => {
    if (isGlobal(o) === undefined) throw undefined;
  };
}

function classOf(o, prototype, prototypeNumber) {
  if (typeof o === 'function') return CLASS.FUNCTION;
  if (isArray(o)) return CLASS.ARRAY;
  if (prototype === ObjectPrototype) return CLASS.PLAIN;
  if (prototype === null) return isNamespace(o) ? CLASS.NAMESPACE : CLASS.PLAIN;
  const slot = prototypeNumber & (INSTANCE_PROTOTYPES - 1);
  if (instancePrototypes[slot] === prototypeNumber) return CLASS.INSTANCE;
  if (weakGet(plainPrototypes, prototype) !== undefined) return CLASS.PLAIN;
  for (let p = prototype; p !== null; p = getPrototypeOf(p)) {
    const kind = mapGet(classes, p);
    if (kind === CLASS.INSTANCE) break;
    if (kind !== undefined) return passes(mapGet(brands, p), o) ? kind : CLASS.INSTANCE;
    mention(p);
    if (isUnstampable(p)) break;
    if (weakGet(plainPrototypes, p) !== undefined) {
      const kindElsewhere = otherKind(o);
      if (kindElsewhere !== CLASS.INSTANCE) return kindElsewhere;
      break;
    }
  }
  instancePrototypes[slot] = prototypeNumber;
  return CLASS.INSTANCE;
}

// Numbers of prototypes that were seen to give objects of class INSTANCE only.
const INSTANCE_PROTOTYPES = 1024;
const instancePrototypes = new Int32Array(INSTANCE_PROTOTYPES);

// An object may inherit from Map.prototype without being a Map.
function passes(brand, o) {
  try {
    brand(o);
    return true;
  } catch {
    return false;
  }
}

// Told by what no other object is likely to have; asking for its tag does not touch its bindings.
function isNamespace(o) {
  const d = getOwnPropertyDescriptor(o, toStringTag);
  return d !== undefined && hasOwn(d, 'value') && d.value === 'Module' && !d.writable && !d.configurable;
}
