// Evaluates to prelude(createRecorder, installBuiltins): sets up a bare realm and returns its helpers (see make-runtime.js).
(function prelude(createRecorder, installBuiltins) {
  'use strict';
  const uncurry = Function.prototype.bind.bind(Function.prototype.call);
  const { apply, construct, defineProperty } = Reflect;
  const weakGet = uncurry(WeakMap.prototype.get);
  const weakSet = uncurry(WeakMap.prototype.set);
  const weakHas = uncurry(WeakMap.prototype.has);
  const indexOf = uncurry(String.prototype.indexOf);
  const slice = uncurry(String.prototype.slice);
  const charCodeAt = uncurry(String.prototype.charCodeAt);
  const { fromCharCode } = String;
  const TheProxy = Proxy;
  const { revocable } = Proxy;
  const toString = Function.prototype.toString;

  const originals = new WeakMap();
  const hide = (wrapper, original) => weakSet(originals, wrapper, original);

  const proxies = new WeakMap();
  watchProxies();
  showOriginalTexts();

  const WORDS = 1 << 18;
  const state = [0, WORDS - 65536];
  const recorder = createRecorder({
    words: new Int32Array(WORDS),
    state,
    advance() {
      state[0] = 0;
    },
    idSymbol: undefined,
    // Nobody knows the sites here: literals are looked at instead.
    siteNames: () => [],
    arity: () => 0,
    isProxy: (o) => weakHas(proxies, o),
    watchesDefinitions: false,
  });
  installBuiltins(globalThis, recorder, hide);
  return recorder.helpers;

  function watchProxies() {
    const known = (proxy) => {
      weakSet(proxies, proxy, true);
      return proxy;
    };
    const watched = new TheProxy(TheProxy, { __proto__: null, construct: (target, list) => known(construct(target, list)) });
    known(watched);
    const wrappers = {
      revocable(target, handler) {
        const result = apply(revocable, this, arguments);
        known(result.proxy);
        return result;
      },
    };
    hide(watched, TheProxy);
    hide(wrappers.revocable, revocable);
    defineProperty(TheProxy, 'revocable', { __proto__: null, value: wrappers.revocable });
    defineProperty(globalThis, 'Proxy', { __proto__: null, value: watched });
  }

  function showOriginalTexts() {
    const wrappers = {
      toString() {
        const isFunction = typeof this === 'function';
        const text = apply(toString, (isFunction && weakGet(originals, this)) || this, []);
        return isFunction ? originalText(text) : text;
      },
    };
    hide(wrappers.toString, toString);
    defineProperty(Function.prototype, 'toString', { __proto__: null, value: wrappers.toString });
  }

  // The marks in a function's text are its own and those of functions inside it, whose texts are shorter.
  function originalText(text) {
    let best = '';
    for (let at = indexOf(text, TEXT.MARK_OPENING); at >= 0; at = indexOf(text, TEXT.MARK_OPENING, at + 1)) {
      const end = indexOf(text, '*/', at);
      const colon = indexOf(text, ':', at);
      if (end < 0 || colon < 0 || colon > end) continue;
      if (end - colon - 1 > best.length) best = slice(text, colon + 1, end);
    }
    return best === '' ? text : decodeUtf8(best);
  }

  function decodeUtf8(base64url) {
    let text = '';
    let needed = 0;
    let point = 0;
    let bits = 0;
    let held = 0;
    for (let i = 0; i < base64url.length; i++) {
      held = ((held << 6) | sextet(charCodeAt(base64url, i))) & 0xffff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      const byte = (held >> bits) & 255;
      if (needed > 0) {
        point = (point << 6) | (byte & 63);
        needed--;
      } else if (byte < 0x80) point = byte;
      else {
        needed = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
        point = byte & (0x3f >> needed);
      }
      if (needed > 0) continue;
      text += point < 0x10000 ? fromCharCode(point) : fromCharCode(0xd7c0 + (point >> 10), 0xdc00 + (point & 0x3ff));
    }
    return text;
  }

  function sextet(code) {
    if (code === 45) return 62;
    if (code === 95) return 63;
    if (code < 58) return code + 4;
    return code < 91 ? code - 65 : code - 71;
  }
})
