// What an expression gave, as text: as the source would write it, cut when long. Objects are looked at through the inspector,
// which runs no code of the program for it.
'use strict';
const { append, exec, join, matches, slice } = load('load/primordials.cjs');

const LONGEST_STRING = 200;
const MOST_ENTRIES = 100;
const DEEPEST = 3;

// `value` is a Runtime.RemoteObject.
function shown(session, value, depth = 0) {
  switch (value.type) {
    case 'string':
      return quoted(value.value);
    case 'function':
      return shownFunction(session, value);
    case 'object':
      return value.subtype === 'null' ? 'null' : shownObject(session, value, depth);
    default:
      return value.unserializableValue ?? value.description ?? `${value.value}`;
  }
}

module.exports = { shown };

function shownFunction(session, value) {
  const word = value.className === 'Function' && matches(/^class\b/, value.description) ? 'class' : 'function';
  const { own } = contentsOf(session, value);
  for (let i = 0; i < own.length; i++) {
    if (own[i].name === 'name' && own[i].value?.type === 'string' && own[i].value.value !== '') return `${word} ${own[i].value.value}`;
  }
  return word;
}

function shownObject(session, value, depth) {
  const { subtype, className, description } = value;
  if (subtype === 'error') return exec(/^.*?(?=\n {4}at |$)/s, description)[0];
  if (subtype === 'regexp' || subtype === 'date') return description;
  if (subtype === 'proxy') return 'Proxy {…}';
  const isList = subtype === 'array' || subtype === 'typedarray' || className === 'Arguments';
  const prefix = className === (isList ? 'Array' : 'Object') ? '' : `${className} `;
  if (depth === DEEPEST) return isList ? `${prefix}[…]` : `${prefix}{…}`;
  const { own, entries } = contentsOf(session, value);
  if (isList) return `${prefix}[${listed(elements(own), (property) => shownProperty(session, property, depth))}]`;
  if (entries !== undefined) {
    return `${prefix}{${listed(entries, (entry) => shownEntry(session, entry, depth))}} (${entries.length})`;
  }
  const text = listed(enumerable(own), (property) => `${keyText(property)}: ${shownProperty(session, property, depth)}`);
  return `${prefix}{${text}}`;
}

// Own properties; of a Map or Set its entries.
function contentsOf(session, value) {
  let own = [];
  let internal = [];
  session.post('Runtime.getProperties', { objectId: value.objectId, ownProperties: true }, (error, reply) => {
    own = reply?.result ?? own;
    internal = reply?.internalProperties ?? internal;
  });
  let entries;
  for (let i = 0; i < internal.length; i++) {
    if (internal[i].name === '[[Entries]]') entries = elements(contentsOf(session, internal[i].value).own);
  }
  return { own, entries };
}

function elements(own) {
  return filtered(own, (property) => property.symbol === undefined && matches(/^\d+$/, property.name));
}

function enumerable(own) {
  return filtered(own, (property) => property.enumerable);
}

function filtered(list, isWanted) {
  const wanted = [];
  for (let i = 0; i < list.length; i++) if (isWanted(list[i])) append(wanted, list[i]);
  return wanted;
}

// `{ value }` of a Set, `{ key, value }` of a Map, which the inspector wraps once more.
function shownEntry(session, entry, depth) {
  const { own } = contentsOf(session, entry.value);
  let text = '';
  for (let i = 0; i < own.length; i++) {
    if (own[i].name === 'key') text = `${shownProperty(session, own[i], depth)} → `;
    else if (own[i].name === 'value') text += shownProperty(session, own[i], depth);
  }
  return text;
}

function shownProperty(session, property, depth) {
  return property.value === undefined ? '<accessor>' : shown(session, property.value, depth + 1);
}

function listed(items, text) {
  const texts = [];
  for (let i = 0; i < items.length && i < MOST_ENTRIES; i++) append(texts, text(items[i]));
  if (items.length > MOST_ENTRIES) append(texts, '…');
  return join(texts, ', ');
}

function keyText({ name, symbol }) {
  if (symbol !== undefined) return `[${name}]`;
  return matches(/^(?:[\p{L}_$][\p{L}\p{N}_$]*|\d+)$/u, name) ? name : quoted(name);
}

function quoted(text) {
  let done = '"';
  let n = 0;
  for (let at = 0; at < text.length; n++) {
    if (n === LONGEST_STRING) {
      done += '…';
      break;
    }
    const c = exec(/./suy, slice(text, at, at + 2))[0];
    at += c.length;
    done += ESCAPES[c] ?? (matches(/[\p{Cc}\p{Cs}\u2028\u2029]/u, c) ? escape(c) : c);
  }
  return `${done}"`;
}

const ESCAPES = { __proto__: null, '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const hex = Number.prototype.toString;
const codeAt = String.prototype.charCodeAt;

function escape(c) {
  const digits = Reflect.apply(hex, Reflect.apply(codeAt, c, [0]), [16]);
  return `\\u${slice(`0000${digits}`, -4)}`;
}
