// Functions that stamp new objects, made from text so that each has its own inline caches.
// V8 compiles in place that a field is defined, but not that a private symbol is assigned which the object does not have yet
// (8 ns instead of 16). So a new object becomes an instance of a class that has the stamp as a field. It would throw for what
// takes no field any more, and ask proxies: this is for objects that nobody has had yet. The constructor is written out because
// the one that V8 11 makes spreads its arguments, with an iterator that the program may have replaced.
const DEFINES_STAMP = 'let number=0;class Stamped extends(function(o){return o}){constructor(o){super(o)}[id]=number}';

// Adding the stamp to a fresh object costs 15 ns where V8 has seen few shapes, and 100 ns where it has seen many. So births
// go through functions of their own, one for each site (as far as 1,024 go), made from text so that each has its own
// inline caches. A program run without code generation does without.
const STAMPERS = 1024;
const stampers = new Array(STAMPERS).fill(undefined);
const TheFunction = Function;
// Under this name load/stack.cjs does not show them. A path would not do: V8 ignores names with blanks.
const NAMED_OURS = '\n//# sourceURL=wherefore:made';

function newStamper(slot) {
  let stamper = setStampIfNone;
  if (idSymbol !== undefined) {
    try {
      stamper = TheFunction('id', `return function(o,n){if(o[id]!==undefined)return false;try{o[id]=n}catch{}return o[id]===n}//${slot}${NAMED_OURS}`)(idSymbol);
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
      const text = `return function(o,n){try{o[id]=n}catch{}if(o[id]!==n)return none;const p=prototypeOf(o);return p===null?0:p[id]|0}//${slot}${NAMED_OURS}`;
      stamper = TheFunction('id', 'none', 'prototypeOf', text)(idSymbol, NOT_STAMPED, getPrototypeOf);
    } catch {
      // Code generation is off.
    }
  }
  freshStampers[slot] = stamper;
  return stamper;
}

function stampFreshAtSite(S, o, stamp) {
  const slot = (S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1);
  return (freshStampers[slot] ?? newFreshStamper(slot))(o, stamp);
}

function stampFresh(o, stamp) {
  if (!setStampIfNone(o, stamp)) return NOT_STAMPED;
  const prototype = getPrototypeOf(o);
  return prototype === null ? 0 : stampOf(prototype) | 0;
}

// Numbers an object that has no number yet; false if it has one, or takes none.
function stampAtSite(S, o, stamp) {
  const slot = (S >>> LAYOUT.SITE_SHIFT) & (STAMPERS - 1);
  return (stampers[slot] ?? newStamper(slot))(o, stamp);
}
