// Functions that stamp new objects, made from text so that each has its own inline caches.
// V8 compiles in place that a field is defined, but not that a private symbol is assigned which the object does not have yet
// (8 ns instead of 16). So a new object becomes an instance of a class that has the stamp as a field. It would throw for what
// takes no field any more, and ask proxies: this is for objects that nobody has had yet. The constructor is written out because
// the one that V8 11 makes spreads its arguments, with an iterator that the program may have replaced.
const DEFINES_STAMP = 'let number=0;class Stamped extends(function(o){return o}){constructor(o){super(o)}[id]=number}';

// Since V8 14 (Node 26) the opaque objects of WebAssembly do not refuse an assigned private symbol: it goes into their shared map, and the
// next one ends the process. They refuse a field. What cannot be extended takes no field, either, but `Reflect.set`, which is slow.
var fieldNumber = 0;
const StampField = class extends (function (o) { return o; }) {
  constructor(o) {
    super(o);
  }
  [idSymbol] = fieldNumber;
};

function addStamp(o, stamp) {
  fieldNumber = stamp;
  try {
    new StampField(o);
  } catch {
    reflectSet(o, idSymbol, stamp);
  }
}

const ADDING = addsByField ? { declared: DEFINES_STAMP, statement: 'number=n;try{new Stamped(o)}catch{try{set(o,id,n)}catch{}}' } : { declared: '', statement: 'try{o[id]=n}catch{}' };

// Adding the stamp to a fresh object costs 15 ns where V8 has seen few shapes, and 100 ns where it has seen many. So births
// go through functions of their own, one for each site (as far as 1,024 go), made from text so that each has its own
// inline caches. A program run without code generation does without.
const STAMPERS = 1024;
const stampers = new Array(STAMPERS).fill(undefined);
const TheFunction = Function;
// Under this name load/stack.cjs does not show them. A path would not do: V8 ignores names with blanks.
const NAMED_OURS = '\n//# sourceURL=wherefore:made';

// A site that met an object which takes no stamp meets more of them: there it is asked first.
const refused = new Uint8Array(STAMPERS);

function isRefused(S) {
  return refused[(S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1)] !== 0;
}

function newStamper(slot) {
  let stamper = setStampIfNone;
  if (idSymbol !== undefined) {
    try {
      const text = `${ADDING.declared}return function(o,n){if(o[id]!==undefined)return false;${ADDING.statement}return o[id]===n}//${slot}${NAMED_OURS}`;
      stamper = TheFunction('id', 'set', text)(idSymbol, reflectSet);
    } catch {
      // Code generation is off.
    }
  }
  stampers[slot] = stamper;
  return stamper;
}

function setStampIfNone(o, stamp) {
  return stampOf(o) === undefined && setStamp(o, stamp);
}

// The same for objects that have no number, mostly under construction. These functions give the number of the prototype, which is
// known here too.
const freshStampers = new Array(STAMPERS).fill(undefined);
const NOT_STAMPED = -(2 ** 31);

function newFreshStamper(slot) {
  let stamper = stampFresh;
  if (idSymbol !== undefined) {
    try {
      const text = `${ADDING.declared}return function(o,n){${ADDING.statement}if(o[id]!==n)return none;const p=prototypeOf(o);return p===null?0:p[id]|0}//${slot}${NAMED_OURS}`;
      stamper = TheFunction('id', 'set', 'none', 'prototypeOf', text)(idSymbol, reflectSet, NOT_STAMPED, getPrototypeOf);
    } catch {
      // Code generation is off.
    }
  }
  freshStampers[slot] = stamper;
  return stamper;
}

function stampFreshAtSite(S, o, stamp) {
  return isRefused(S) && numberOfUnstampable(o) !== 0 ? NOT_STAMPED : stampAskedAtSite(S, o, stamp);
}

// As stampFreshAtSite, for who has asked.
function stampAskedAtSite(S, o, stamp) {
  const slot = (S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1);
  const prototypeNumber = (freshStampers[slot] ?? newFreshStamper(slot))(o, stamp);
  if (prototypeNumber === NOT_STAMPED) refused[slot] = 1;
  return prototypeNumber;
}

function stampFresh(o, stamp) {
  if (!setStampIfNone(o, stamp)) return NOT_STAMPED;
  const prototype = getPrototypeOf(o);
  return prototype === null ? 0 : stampOf(prototype) | 0;
}

// Numbers an object that has no number yet; false if it has one, or takes none.
function stampAtSite(S, o, stamp) {
  const slot = (S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1);
  if (refused[slot] !== 0 && stampOf(o) === undefined && numberOfUnstampable(o) !== 0) return false;
  const isStamped = (stampers[slot] ?? newStamper(slot))(o, stamp);
  if (!isStamped && stampOf(o) === undefined) refused[slot] = 1;
  return isStamped;
}
