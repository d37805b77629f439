// While an expression is evaluated, V8 refuses every built-in that is not on its list of those without an effect, and that list is
// short: `split`, `replace`, `toUpperCase` and others that change nothing are not on it. So for this moment there are functions in
// their place that do the same in plain JavaScript, of which V8 sees for itself that they change nothing. Whatever does change
// something is refused as before: nothing here is trusted. Our own wrappers, which write what they see, give way to what they wrap.
//
// The program stands still meanwhile, and finds everything as it was. What it replaced itself stays as it is.
'use strict';
const { original } = load('load/hide.cjs');

const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { fromCharCode } = String;
const { exec } = RegExp.prototype;
const { slice, indexOf, charCodeAt, codePointAt } = String.prototype;
const { Collator } = Intl;
const RegExpPrototype = RegExp.prototype;
const ITERATOR = Symbol.iterator;
const splitByPattern = RegExp.prototype[Symbol.split];

// Calls `evaluate` while the stand-ins are in place.
function lend(evaluate) {
  const lent = [];
  for (let i = 0; i < holders.length; i++) giveOriginals(holders[i], lent);
  for (let i = 0; i < standIns.length; i++) {
    const { holder, key, plain, standIn } = standIns[i];
    put(holder, key, plain, standIn, lent);
  }
  try {
    return evaluate();
  } finally {
    for (let i = lent.length - 1; i >= 0; i--) {
      defineProperty(lent[i].holder, lent[i].key, { __proto__: null, value: lent[i].before });
    }
  }
}

module.exports = { lend };

const TypedArrayPrototype = getPrototypeOf(Int8Array.prototype);
const holders = [
  Array.prototype, TypedArrayPrototype, Map.prototype, Set.prototype, WeakMap.prototype, WeakSet.prototype, Object,
  Object.prototype, Reflect,
];

function giveOriginals(holder, lent) {
  const names = ownKeys(holder);
  for (let i = 0; i < names.length; i++) {
    const { value } = getOwnPropertyDescriptor(holder, names[i]);
    const wrapped = typeof value === 'function' ? original(value) : undefined;
    if (typeof wrapped === 'function') put(holder, names[i], value, wrapped, lent);
  }
}

function put(holder, key, before, now, lent) {
  const described = getOwnPropertyDescriptor(holder, key);
  if (described?.value !== before || !described.configurable) return;
  if (defineProperty(holder, key, { __proto__: null, value: now })) {
    defineProperty(lent, lent.length, { __proto__: null, value: { holder, key, before } });
  }
}

// Below everything is such that V8 can tell: writes go to what was made in the evaluation itself, and what is called is on its list.

const text = {
  split(separator, limit) {
    if (this === undefined || this === null || isOther(separator)) return apply(plain.split, this, arguments);
    const whole = `${this}`;
    const most = limit === undefined ? 4294967295 : limit >>> 0;
    const parts = [];
    if (isPattern(separator)) return apply(splitByPattern, new RegExp(separator), [whole, most]);
    const mark = `${separator}`;
    if (most === 0) return parts;
    if (separator === undefined) return [whole];
    if (mark === '') {
      for (let i = 0; i < whole.length && parts.length < most; i++) parts[i] = whole[i];
      return parts;
    }
    let from = 0;
    for (let at = apply(indexOf, whole, [mark]); at !== -1; at = apply(indexOf, whole, [mark, from])) {
      parts[parts.length] = apply(slice, whole, [from, at]);
      if (parts.length === most) return parts;
      from = at + mark.length;
    }
    parts[parts.length] = apply(slice, whole, [from]);
    return parts;
  },
  replace(pattern, replacement) {
    if (this === undefined || this === null || isOther(pattern)) return apply(plain.replace, this, arguments);
    const whole = `${this}`;
    const matches = isPattern(pattern) ? found(pattern, whole).matches : occurrences(whole, `${pattern}`, true);
    return matches === undefined ? apply(plain.replace, this, arguments) : replaced(whole, matches, replacement);
  },
  replaceAll(pattern, replacement) {
    if (this === undefined || this === null || isOther(pattern)) return apply(plain.replaceAll, this, arguments);
    const whole = `${this}`;
    const matches = isPattern(pattern) ? allFound(pattern, whole) : occurrences(whole, `${pattern}`, false);
    return matches === undefined ? apply(plain.replaceAll, this, arguments) : replaced(whole, matches, replacement);
  },
  match(pattern) {
    if (this === undefined || this === null || isOther(pattern)) return apply(plain.match, this, arguments);
    const { matches, isGlobal } = found(isPattern(pattern) ? pattern : new RegExp(pattern), `${this}`);
    if (matches === undefined) return apply(plain.match, this, arguments);
    if (matches.length === 0) return null;
    if (!isGlobal) return matches[0];
    const texts = [];
    for (let i = 0; i < matches.length; i++) texts[i] = matches[i][0];
    return texts;
  },
  matchAll(pattern) {
    if (this === undefined || this === null || isOther(pattern)) return apply(plain.matchAll, this, arguments);
    const matches = allFound(isPattern(pattern) ? pattern : new RegExp(pattern, 'g'), `${this}`);
    return matches === undefined ? apply(plain.matchAll, this, arguments) : matches.values();
  },
  search(pattern) {
    if (this === undefined || this === null || isOther(pattern)) return apply(plain.search, this, arguments);
    const match = apply(exec, new RegExp(pattern), [`${this}`]);
    return match === null ? -1 : match.index;
  },
  toUpperCase() {
    return inCase('toUpperCase', this, upper, arguments);
  },
  toLowerCase() {
    return inCase('toLowerCase', this, lower, arguments);
  },
  toLocaleUpperCase() {
    return inCase('toLocaleUpperCase', this, isUsualLocale ? upper : undefined, arguments);
  },
  toLocaleLowerCase() {
    return inCase('toLocaleLowerCase', this, isUsualLocale ? lower : undefined, arguments);
  },
  localeCompare(other, locales, options) {
    if (this === undefined || this === null) return apply(plain.localeCompare, this, arguments);
    return new Collator(locales, options).compare(`${this}`, `${other}`);
  },
  normalize(form) {
    const isPlain = (typeof this === 'string') && (form === undefined || typeof form === 'string');
    return isPlain && isAscii(this) && (form === undefined || apply(exec, /^NFK?[CD]$/, [form])) ? this : apply(plain.normalize, this, arguments);
  },
  [ITERATOR]() {
    if (this === undefined || this === null) return apply(plain[ITERATOR], this, []);
    return points(`${this}`).values();
  },
};

const statics = [
  {
    holder: String,
    methods: {
      raw(template, ...values) {
        const { raw } = template;
        let whole = '';
        for (let i = 0; i < raw.length; i++) whole += `${raw[i]}${i + 1 < raw.length && i < values.length ? `${values[i]}` : ''}`;
        return whole;
      },
    },
  },
  {
    holder: Array,
    methods: {
      from(items, change, receiver) {
        const isUnclear = this !== ArrayItself || items === undefined || items === null;
        if (isUnclear || (change !== undefined && typeof change !== 'function')) return apply(plainFrom, this, arguments);
        const made = [];
        const changed = (item, i) => (change === undefined ? item : apply(change, receiver, [item, i]));
        const iterate = items[ITERATOR];
        if (iterate !== undefined && iterate !== null) {
          for (const item of items) made[made.length] = changed(item, made.length);
          return made;
        }
        const { length } = items;
        for (let i = 0; i < length; i++) made[i] = changed(items[i], i);
        return made;
      },
      of(...items) {
        return this === ArrayItself ? items : apply(plainOf, this, items);
      },
    },
  },
  {
    holder: Object,
    methods: {
      assign(target, ...sources) {
        if (typeof target !== 'object' || target === null) return apply(plainAssign, this, arguments);
        for (let i = 0; i < sources.length; i++) copy(sources[i], target);
        return target;
      },
      fromEntries(entries) {
        const made = {};
        for (const entry of entries) own(made, entry[0], entry[1]);
        return made;
      },
    },
  },
  {
    holder: Reflect,
    methods: {
      get(target, key) {
        const isPlain = arguments.length === 2 && ((typeof target === 'object' && target !== null) || typeof target === 'function');
        return isPlain ? target[key] : apply(plainGet, this, arguments);
      },
    },
  },
];

// What stands there before the program runs, of us or not: `giveOriginals` puts the originals there first.
const plain = String.prototype[ITERATOR] && copyOf(String.prototype, text);
const ArrayItself = Array;
const plainFrom = Array.from;
const plainOf = Array.of;
const plainAssign = unwrapped(Object.assign);
const plainGet = unwrapped(Reflect.get);
const standIns = [];
for (const key of ownKeys(text)) add(String.prototype, key, text[key]);
for (const { holder, methods } of statics) for (const key of ownKeys(methods)) add(holder, key, methods[key]);

function add(holder, key, standIn) {
  const { value } = getOwnPropertyDescriptor(holder, key) ?? {};
  if (typeof value !== 'function') return;
  const described = { holder, key, plain: unwrapped(value), standIn };
  defineProperty(standIns, standIns.length, { __proto__: null, value: described });
}

function copyOf(holder, names) {
  const copied = { __proto__: null };
  for (const key of ownKeys(names)) copied[key] = holder[key];
  return copied;
}

function unwrapped(value) {
  const wrapped = original(value);
  return typeof wrapped === 'function' ? wrapped : value;
}

// A regular expression of which nobody replaced a part.
function isPattern(value) {
  return typeof value === 'object' && value !== null && getPrototypeOf(value) === RegExpPrototype && ownKeys(value).length === 1 &&
    RegExpPrototype.exec === exec;
}

// Objects that may do anything when they are asked to match.
function isOther(value) {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && !isPattern(value);
}

// What a pattern finds, all of it if it is global. V8 lets nobody ask for the flags of one, so it is found out what they do. All is
// done with copies: where the last match ended is kept in the pattern itself. `undefined` where it cannot be told.
function found(pattern, whole) {
  if (!isRepeated(pattern)) {
    const match = apply(exec, new RegExp(pattern), [whole]);
    return { matches: match === null ? [] : [match], isGlobal: false };
  }
  // One that is sticky finds nothing behind the place where it begins.
  const behind = apply(exec, new RegExp(pattern), [`${fromCharCode(0xe000)}${whole}`]);
  const matches = allMatches(new RegExp(pattern), whole);
  const isGlobal = behind !== null && behind.index > 0;
  const isClear = matches !== undefined && (isGlobal || (matches.length === 0 && pattern.lastIndex === 0));
  return { matches: isClear ? matches : undefined, isGlobal: true };
}

function allFound(pattern, whole) {
  return isRepeated(pattern) ? found(pattern, whole).matches : undefined;
}

// Whether it is global or sticky: only such a one begins where its last match ended, and begins anew if there is none.
function isRepeated(pattern) {
  const copied = new RegExp(pattern);
  copied.lastIndex = 1;
  apply(exec, copied, ['']);
  return copied.lastIndex === 0;
}

function allMatches(pattern, whole) {
  const matches = [];
  for (let match = apply(exec, pattern, [whole]); match !== null; match = apply(exec, pattern, [whole])) {
    matches[matches.length] = match;
    if (match[0] !== '') continue;
    // Whether half of a character comes next depends on a flag.
    if (apply(codePointAt, whole, [pattern.lastIndex]) > 65535) return undefined;
    pattern.lastIndex++;
  }
  return matches;
}

function after(whole, index, isByPoint) {
  return index + (isByPoint && apply(codePointAt, whole, [index]) > 65535 ? 2 : 1);
}

function occurrences(whole, sought, isFirstOnly) {
  const found = [];
  for (let at = apply(indexOf, whole, [sought]); at !== -1; at = apply(indexOf, whole, [sought, at + (sought.length || 1)])) {
    const match = [sought];
    match.index = at;
    found[found.length] = match;
    if (isFirstOnly || at === whole.length) break;
  }
  return found;
}

function replaced(whole, matches, replacement) {
  const isCalled = typeof replacement === 'function';
  const template = isCalled ? '' : `${replacement}`;
  let done = '';
  let from = 0;
  for (let i = 0; i < matches.length; i++) {
    const match = matches[i];
    const put = isCalled ? `${apply(replacement, undefined, argumentsOf(match, whole))}` : expanded(template, match, whole);
    done += apply(slice, whole, [from, match.index]) + put;
    from = match.index + match[0].length;
  }
  return done + apply(slice, whole, [from]);
}

function argumentsOf(match, whole) {
  const list = [];
  for (let i = 0; i < match.length; i++) list[i] = match[i];
  list[list.length] = match.index;
  list[list.length] = whole;
  if (match.groups !== undefined) list[list.length] = match.groups;
  return list;
}

function expanded(template, match, whole) {
  const marks = allMatches(/[$](?:[$&`']|\d\d?|<[^>]*>)/g, template);
  let done = '';
  let from = 0;
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i][0];
    const meant = meaning(mark, match, whole);
    done += apply(slice, template, [from, marks[i].index]) + meant[0];
    from = marks[i].index + meant[1];
  }
  return done + apply(slice, template, [from]);
}

// What `$1` stands for, and how many characters of it are the name.
function meaning(mark, match, whole) {
  const sign = mark[1];
  if (sign === '$') return ['$', 2];
  if (sign === '&') return [match[0], 2];
  if (sign === '`') return [apply(slice, whole, [0, match.index]), 2];
  if (sign === "'") return [apply(slice, whole, [match.index + match[0].length]), 2];
  if (sign === '<') {
    if (match.groups === undefined) return ['$<', 2];
    const group = match.groups[apply(slice, mark, [2, -1])];
    return [group === undefined ? '' : `${group}`, mark.length];
  }
  for (let length = mark.length; length > 1; length--) {
    const number = +apply(slice, mark, [1, length]);
    if (number > 0 && number < match.length) return [match[number] ?? '', length];
  }
  return ['$', 1];
}

function points(whole) {
  const list = [];
  for (let i = 0; i < whole.length; i += list[list.length - 1].length) {
    list[list.length] = apply(slice, whole, [i, after(whole, i, true)]);
  }
  return list;
}

// In which characters a case differs is asked once, before anything is evaluated. A final sigma depends on what is around it.
const upper = { __proto__: null };
const lower = { __proto__: null };
const HIGHEST_CASED = 0x1e944;
for (let point = 0; point < HIGHEST_CASED; point++) {
  const character = String.fromCodePoint(point);
  const [high, low] = [character.toUpperCase(), character.toLowerCase()];
  if (high !== character) upper[character] = high;
  if (low !== character) lower[character] = low;
}
const isUsualLocale = 'iI'.toLocaleUpperCase() === 'II' && 'iI'.toLocaleLowerCase() === 'ii';
const SIGMA = fromCharCode(0x3a3);

function inCase(name, value, table, list) {
  const isPlain = typeof value === 'string' && list.length === 0 && table !== undefined;
  if (!isPlain || (table === lower && apply(indexOf, value, [SIGMA]) !== -1)) return apply(plain[name], value, list);
  const characters = points(value);
  let done = '';
  for (let i = 0; i < characters.length; i++) done += table[characters[i]] ?? characters[i];
  return done;
}

function isAscii(whole) {
  for (let i = 0; i < whole.length; i++) if (apply(charCodeAt, whole, [i]) > 127) return false;
  return true;
}

function copy(source, target) {
  if (source === undefined || source === null) return;
  const from = typeof source === 'string' ? points(source) : source;
  if (typeof from !== 'object' && typeof from !== 'function') return;
  const names = ownKeys(from);
  for (let i = 0; i < names.length; i++) {
    if (getOwnPropertyDescriptor(from, names[i])?.enumerable) target[names[i]] = from[names[i]];
  }
}

function own(object, key, value) {
  object[key] = value;
}
