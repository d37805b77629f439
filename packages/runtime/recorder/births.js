// Literals, functions and classes: where objects come into being.
// The birth of a class: what its instances inherit is told behind it, then what it has itself but for static fields.
function recordClass(S, c) {
  recordFunction(S, c);
  if (typeof c !== 'function' || !isTaken(c)) return c;
  const prototype = prototypeProperty(c);
  if (prototype !== undefined && !isTaken(prototype)) {
    use(prototype);
    const keys = isUnstampable(prototype) ? [] : ownKeys(prototype);
    for (let i = 0; i < keys.length; i++) {
      const d = getOwnPropertyDescriptor(prototype, keys[i]);
      if (hasOwn(d, 'value') && typeof d.value === 'function') use(d.value);
    }
  }
  const keys = ownKeys(c);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (key !== 'length' && key !== 'name' && key !== 'prototype' && !getOwnPropertyDescriptor(c, key).enumerable) effectOwn(OPERATION.DEFINE_PROPERTY, c, key);
  }
  return c;
}

function recordFunction(S, f) {
  const id = objects + 1;
  if (stampAtSite(S, f, id)) {
    objects = id;
    const at = cursor;
    words[at + 1] = id;
    words[at] = S | TAG.OBJECT;
    cursor = at + 2;
  } else other(S, f);
  return f;
}

// What is known of a literal's site, found by the low bits of its number.
const SITES = 4096;
const literalSites = new Array(SITES).fill(undefined);

function literalSite(S, isArrayLiteral) {
  const site = S >>> LAYOUT.SITE_SHIFT;
  const names = isArrayLiteral ? undefined : siteNames(site);
  const known = { S, names, count: isArrayLiteral ? arity(site) : names.length, births: 0, stamp: undefined, read: undefined, write: undefined };
  literalSites[site & (SITES - 1)] = known;
  return known;
}

function objectLiteral(S, literal) {
  let site = literalSites[(S >>> LAYOUT.SITE_SHIFT) & (SITES - 1)];
  if (site === undefined || site.S !== S) site = literalSite(S, false);
  const { count, read, write } = site;
  if (write !== undefined) {
    if (cursor > limit) nextChunk();
    const end = write(S | TAG.OBJECT, literal, objects + 1, cursor);
    if (end !== 0) {
      objects++;
      cursor = end;
      return literal;
    }
  }
  const id = birthAt(site, literal);
  if (count > MOST_BORN) return bornLarge(S, literal, count);
  writeBirth(S, id, read === undefined ? readLiteral(site, literal) : read(literal));
  return literal;
}

function readLiteral(site, literal) {
  const { names, count } = site;
  let end = 0;
  for (let k = 0; k < count; k++) end = isNeeded(names[k]) ? bornWith(end, literal[names[k]]) : bornUnneeded(end);
  return end;
}

// Nobody will ask for it.
function bornUnneeded(end) {
  born[end] = TAG.NOT_CAPTURED;
  return end + 1;
}

const MOST_READ = 64;
const quote = JSON.stringify;

function newReader(names) {
  if (idSymbol === undefined || names.length > MOST_READ) return undefined;
  let text = '0';
  for (let k = 0; k < names.length; k++) {
    text = isNeeded(names[k]) ? `bornWith(${text},o[${quote(names[k])}])` : `bornUnneeded(${text})`;
  }
  try {
    return TheFunction('bornWith', 'bornUnneeded', `return function(o){return ${text}}${NAMED_OURS}`)(bornWith, bornUnneeded);
  } catch {
    return undefined;
  }
}

// Where few keys are needed, such a site gets a function that writes the whole event, if what they hold is the usual.
const MOST_WRITTEN = 4;

function newWriter(names) {
  if (!isSparse || idSymbol === undefined || names.length > MOST_READ) return undefined;
  let asked = '';
  let written = '';
  let n = 0;
  for (let k = 0; k < names.length; k++) {
    if (!isNeeded(names[k])) {
      written += `w[e++]=${TAG.NOT_CAPTURED};`;
      continue;
    }
    asked += `const x${n}=o[${quote(names[k])}];let t${n}=${TAG.INTEGER},v${n}=x${n};if(typeof x${n}!=='number'||(x${n}|0)!==x${n}||x${n}===0){if(typeof x${n}!=='object'||x${n}===null)return 0;v${n}=x${n}[id]|0;if(v${n}<=0)return 0;t${n}=${TAG.OBJECT}}`;
    written += `w[e]=t${n};w[e+1]=v${n};e+=2;`;
    n++;
  }
  if (n > MOST_WRITTEN) return undefined;
  try {
    const text = `${DEFINES_STAMP}return function(header,o,n,at){${asked}number=n;new Stamped(o);let e=at+2;w[at+1]=n;${written}w[at]=header;return e}${NAMED_OURS}`;
    return TheFunction('id', 'w', text)(idSymbol, words);
  } catch {
    return undefined;
  }
}

function arrayLiteral(S, array) {
  let site = literalSites[(S >>> LAYOUT.SITE_SHIFT) & (SITES - 1)];
  if (site === undefined || site.S !== S) site = literalSite(S, true);
  const id = birthAt(site, array);
  const { count } = site;
  if (count > MOST_BORN) return bornLarge(S, array, count);
  let end = 0;
  for (let k = 0; k < count; k++) end = bornWith(end, array[k]);
  writeBirth(S, id, end);
  return array;
}

// Gives a literal of this site its number. A site that gives birth often gets functions of its own, for the sake of their inline
// caches.
function birthAt(site, literal) {
  const { S, stamp } = site;
  const id = ++objects;
  if (stamp !== undefined) stamp(literal, id);
  else {
    stampAtSite(S, literal, id);
    if (++site.births === HOT) specialiseBirths(site);
  }
  return id;
}

const HOT = 100;

function specialiseBirths(site) {
  site.stamp = newDefiningStamper();
  if (site.names === undefined) return;
  site.read = newReader(site.names);
  site.write = newWriter(site.names);
}

function newDefiningStamper() {
  if (idSymbol === undefined) return undefined;
  try {
    return TheFunction('id', `${DEFINES_STAMP}return function(o,n){number=n;new Stamped(o)}${NAMED_OURS}`)(idSymbol);
  } catch {
    return undefined;
  }
}

function birth(S, literal) {
  const id = ++objects;
  stampAtSite(S, literal, id);
  return id;
}

// Values for the tail of an event, collected here because encoding one may write records of its own.
const MOST_BORN = 4096;
var born = new Int32Array(3 * MOST_BORN);

function bornWith(end, x) {
  if (typeof x === 'number') {
    const integer = x | 0;
    if (integer === x && (integer !== 0 || 1 / x > 0)) {
      born[end] = TAG.INTEGER;
      born[end + 1] = integer;
      return end + 2;
    }
  } else if (typeof x === 'object' && x !== null) {
    const stamp = (idSymbol === undefined ? weakStamp(x) : x[idSymbol]) | 0;
    if (stamp > 0) {
      born[end] = TAG.OBJECT;
      born[end + 1] = stamp;
      return end + 2;
    }
  }
  encode(x);
  born[end++] = tag;
  if (tag >= TAG.INTEGER && tag !== TAG.NOT_CAPTURED) born[end++] = low;
  if (tag === TAG.DOUBLE) born[end++] = high;
  return end;
}

// The site promises a value for each key; these are not captured, and a look takes the first of them.
function bornLarge(S, literal, count) {
  ensure(count + 2);
  const id = stampOf(literal);
  const at = cursor;
  words[at + 1] = id;
  for (let k = 0; k < count; k++) words[at + 2 + k] = TAG.NOT_CAPTURED;
  words[at] = S | TAG.OBJECT;
  cursor = at + 2 + count;
  takeLook(literal, id);
  return literal;
}

function writeBirth(S, id, n) {
  ensure(n + 2);
  const at = cursor;
  words[at + 1] = id;
  for (let k = 0; k < n; k++) words[at + 2 + k] = born[k];
  words[at] = S | TAG.OBJECT;
  cursor = at + 2 + n;
}

function otherLiteral(S, literal) {
  const id = birth(S, literal);
  writeBirth(S, id, 0);
  takeLook(literal, id);
  return literal;
}

function recordArguments(S, args) {
  writeBirth(S, birth(S, args), 0);
  budget = MOST_ENTRIES;
  queued = 0;
  lookAt(args, numberOf(args), CLASS.ARGUMENTS);
  return args;
}
