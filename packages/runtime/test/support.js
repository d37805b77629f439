// A recorder over plain memory, and a decoder of what it wrote.
'use strict';
const v8 = require('node:v8');
const vm = require('node:vm');
const util = require('node:util');

const { TAG, RECORD, LAYOUT } = require('../contract.generated.cjs');
const runtime = require('../make-runtime.js');

// 'recorder' or 'builtins', as the program gets it.
const load = (name) => vm.runInThisContext(runtime[name](), { filename: `${name}.js` });

function privateSymbol() {
  v8.setFlagsFromString('--allow-natives-syntax');
  const symbol = vm.runInThisContext('%CreatePrivateSymbol("wherefore")');
  v8.setFlagsFromString('--no-allow-natives-syntax');
  return symbol;
}

const SLACK = 65536;

// sites: number → { keys } | { elements } | { tail: how many plain words | 'key' }
function recorderOver({ sites = {}, chunkWords = 1 << 18, identity = 'symbol', words, ...more } = {}) {
  words ??= new Int32Array(2 * chunkWords);
  const state = new Float64Array([0, chunkWords - SLACK]);
  const chunks = [];
  const recorder = load('recorder')({
    words,
    state,
    advance(cursor) {
      chunks.push(Array.from(words.subarray(0, cursor)));
      words.fill(0);
      state[0] = 0;
      state[1] = chunkWords - SLACK;
    },
    idSymbol: identity === 'symbol' ? privateSymbol() : undefined,
    isProxy: identity === 'symbol' ? undefined : util.types.isProxy,
    siteNames: (site) => sites[site].keys,
    arity: (site) => sites[site].elements,
    watchesDefinitions: false,
    ...more,
  });
  const events = () => decode(chunks.concat([Array.from(words.subarray(0, recorder.cursor()))]), sites);
  return { recorder, helpers: recorder.helpers, events, words };
}

// Strings are replaced by their text: a string → JSON text, a bigint → digits and n, an object → '#number'.
function decode(chunks, sites = {}, { killed = false } = {}) {
  const strings = [''];
  const symbols = [''];
  const events = [];
  for (const words of chunks) {
    let at = 0;
    const next = () => words[at++];
    const value = (tag) => {
      switch (tag) {
        case TAG.NONE: return 'none';
        case TAG.UNDEFINED: return 'undefined';
        case TAG.NULL: return 'null';
        case TAG.FALSE: return 'false';
        case TAG.TRUE: return 'true';
        case TAG.INTEGER: return String(next());
        case TAG.DOUBLE: {
          const halves = new Int32Array([next(), next()]);
          const x = new Float64Array(halves.buffer)[0];
          return Object.is(x, -0) ? '-0.0' : `${x}f`;
        }
        case TAG.STRING: return JSON.stringify(strings[next()]);
        case TAG.OBJECT: return `#${next()}`;
        case TAG.SYMBOL: return symbols[next()];
        case TAG.BIGINT: return `${strings[next()]}n`;
        case TAG.NOT_CAPTURED: return 'not captured';
        case TAG.LONG_STRING: return `long(${next()})`;
        case TAG.NEW_OBJECT: return `new #${next()} of #${next()}`;
        case TAG.ACCESSOR: return 'accessor';
        default: throw new Error(`tag ${tag} at ${at}`);
      }
    };
    const record = (header) => {
      const arg = header >>> LAYOUT.ARGUMENT_SHIFT;
      const bytes = () => {
        const out = [];
        for (let i = 0; i < arg; i++) out.push(i);
        return out;
      };
      switch ((header >>> LAYOUT.SITE_SHIFT) & 255) {
        case RECORD.LATIN1: {
          const text = bytes().map((i) => String.fromCharCode((words[at + (i >> 2)] >>> ((i & 3) * 8)) & 255)).join('');
          at += Math.ceil(arg / 4);
          strings.push(text);
          return undefined;
        }
        case RECORD.UTF16: {
          const text = bytes().map((i) => String.fromCharCode((words[at + (i >> 1)] >>> ((i & 1) * 16)) & 0xffff)).join('');
          at += Math.ceil(arg / 2);
          strings.push(text);
          return undefined;
        }
        case RECORD.LOOK: {
          const look = { look: next(), class: arg & 15, cut: (arg & 16) !== 0, prototype: next(), name: strings[next()], size: next(), entries: [] };
          for (let n = next(); n > 0; n--) look.entries.push([value(next()), value(next())].join(': '));
          return look;
        }
        case RECORD.EFFECT: {
          const effect = { effect: arg, object: next(), values: [] };
          for (let n = next(); n > 0; n--) effect.values.push(value(next()));
          return effect;
        }
        case RECORD.OUTPUT: return { output: arg, bytes: next(), text: strings[next()] };
        case RECORD.UNCAUGHT: return { uncaught: value(next()), rejection: arg === 1 };
        case RECORD.THREAD_END: return { end: arg };
        case RECORD.SYMBOL: {
          const text = next();
          symbols.push(`Symbol(${strings[text]})`);
          return undefined;
        }
        default: throw new Error(`record ${header} at ${at}`);
      }
    };
    while (at < words.length) {
      const header = next();
      if (header === 0 && killed) break;
      if (header === 0) throw new Error(`zero header at ${at - 1}`);
      if ((header & 15) === TAG.RECORD) {
        const r = record(header);
        if (r !== undefined) events.push(r);
        continue;
      }
      const site = header >>> LAYOUT.SITE_SHIFT;
      const kind = sites[site] ?? {};
      const event = { site, value: value(header & 15) };
      if (kind.keys || kind.elements) {
        event.tail = [];
        for (let n = kind.keys?.length ?? kind.elements; n > 0; n--) event.tail.push(value(next()));
      } else if (kind.tail === 'key') event.tail = [next(), value(next())];
      else if (kind.tail) event.tail = next();
      events.push(event);
    }
  }
  return events;
}

module.exports = { load, recorderOver, decode, privateSymbol };
