// Strings and symbols, which are written once and then known by their numbers.
const SHORT = 256;
const LONGEST = 65536;
const CACHE = 4096;
const LONG_CACHE = 16;
const cachedText = new Array(CACHE + LONG_CACHE).fill(undefined);
const cachedNumber = new Int32Array(CACHE + LONG_CACHE);
// Reading a string that was put together by + makes V8 copy it, so a program that builds a long one step by step would
// become quadratic. Long strings are therefore read only as far as credit goes, which grows with each string seen.
const CREDIT_A_STRING = 32;
const MOST_CREDIT = 1 << 24;
var credit = 1 << 20;

function encodeString(s) {
  const length = s.length;
  if (length <= SHORT) {
    tag = TAG.STRING;
    low = shortNumber(s, length);
    return;
  }
  if (credit < MOST_CREDIT) credit += CREDIT_A_STRING;
  if (length > LONGEST || length > credit) {
    tag = TAG.LONG_STRING;
    low = length;
    return;
  }
  const slot = CACHE + (length & (LONG_CACHE - 1));
  tag = TAG.STRING;
  if (cachedText[slot] === s) low = cachedNumber[slot];
  else {
    credit -= length;
    low = writeString(s, length, slot);
  }
}

function shortNumber(s, length) {
  let hash = length;
  if (length > 0) {
    const middle = length >> 1;
    hash += charCodeAt(s, 0) * 7 + charCodeAt(s, middle) * 97 + charCodeAt(s, length - 1) * 677 + charCodeAt(s, middle >> 1) * 31;
  }
  const slot = hash & (CACHE - 1);
  if (cachedText[slot] === s) return cachedNumber[slot];
  return writeString(s, length, slot);
}

// For names and digits, which are always taken.
function stringNumber(s) {
  const length = s.length;
  if (length <= SHORT) return shortNumber(s, length);
  if (length > LONGEST) return 0;
  return writeString(s, length, CACHE + (length & (LONG_CACHE - 1)));
}

function writeString(s, length, slot) {
  ensure((length >> 1) + 2);
  if (!writeLatin1(s, length)) writeUtf16(s, length);
  strings++;
  cachedText[slot] = s;
  cachedNumber[slot] = strings;
  return strings;
}

function writeLatin1(s, length) {
  let at = cursor;
  let word = 0;
  for (let i = 0; i < length; i++) {
    const unit = charCodeAt(s, i);
    if (unit > 255) return false;
    word |= unit << ((i & 3) << 3);
    if ((i & 3) === 3) {
      words[++at] = word;
      word = 0;
    }
  }
  if ((length & 3) !== 0) words[++at] = word;
  words[cursor] = (length << LAYOUT.ARGUMENT_SHIFT) | HEADER.LATIN1;
  cursor = at + 1;
  return true;
}

function writeUtf16(s, length) {
  let at = cursor;
  for (let i = 0; i + 1 < length; i += 2) words[++at] = charCodeAt(s, i) | (charCodeAt(s, i + 1) << 16);
  if ((length & 1) !== 0) words[++at] = charCodeAt(s, length - 1);
  words[cursor] = (length << LAYOUT.ARGUMENT_SHIFT) | HEADER.UTF16;
  cursor = at + 1;
}

const symbolNumbers = new WeakMap();
const registeredSymbols = new Map();

function symbolNumber(symbol) {
  const known = weakGet(symbolNumbers, symbol) ?? mapGet(registeredSymbols, symbol);
  if (known !== undefined) return known;
  const description = symbolDescription(symbol);
  const text = description === undefined ? 0 : stringNumber(description);
  ensure(2);
  words[cursor + 1] = text;
  words[cursor] = HEADER.SYMBOL;
  cursor += 2;
  symbols++;
  try {
    weakSet(symbolNumbers, symbol, symbols);
  } catch {
    // A symbol of Symbol.for, or a V8 without symbols as weak keys.
    mapSet(registeredSymbols, symbol, symbols);
  }
  return symbols;
}
