// Functions without a name get one from V8, from what its parser met before them, and a stack trace shows it. In instrumented text that
// is another name than in the original; the addon knows both (crates/instrument/src/stack_names).
'use strict';
const { endsWith, slice, startsWith } = load('load/primordials.cjs');

const { apply } = Reflect;

// `prototype` is that of call sites. Both functions below take one, and `renamed(line, column)`, which gives `[here, plain, …]` for a
// function that begins there: the name that V8 infers, and that which it would infer in the original, and of each whether it is an
// identifier; undefined if there is nothing to change.
function namesOfSites(prototype) {
  const { getFunctionName, getMethodName, getTypeName, getEnclosingLineNumber, getEnclosingColumnNumber } = prototype;
  const { isAsync, isConstructor, isEval, isNative, isToplevel } = prototype;
  const ask = (method, site) => apply(method, site, []);

  function namesOf(site, renamed) {
    const line = ask(getEnclosingLineNumber, site);
    const column = ask(getEnclosingColumnNumber, site);
    const found = line === null || column === null ? undefined : renamed(line, column);
    if (found === undefined) return undefined;
    const unnamed = ask(isEval, site) ? 'eval' : '';
    const here = { text: found[0] || unnamed, isIdentifier: found[2] || found[0] === '' };
    const plain = { text: found[1] || unnamed, isIdentifier: found[3] || found[1] === '' };
    // Otherwise the program named it.
    return here.text === (ask(getFunctionName, site) ?? '') ? { here, plain } : undefined;
  }

  function functionName(site, renamed) {
    const names = namesOf(site, renamed);
    return names === undefined ? ask(getFunctionName, site) : names.plain.text || null;
  }

  // In the text of a call site.
  function rename(text, site, renamed) {
    const names = namesOf(site, renamed);
    if (names === undefined) return text;
    const before = ask(isAsync, site) ? 'async ' : '';
    const here = before + called(site, names.here);
    const plain = before + called(site, names.plain);
    if (!startsWith(text, here)) return text;
    const place = here === before ? slice(text, here.length) : slice(text, here.length + ' ('.length, -1);
    return plain === before ? plain + place : `${plain} (${place})`;
  }

  // As V8 writes it (`AppendMethodCall` in its call-site-info.cc).
  function called(site, { text: name, isIdentifier }) {
    if (ask(isConstructor, site)) return `new ${name || '<anonymous>'}`;
    if (ask(isToplevel, site) || ask(isNative, site)) return name;
    const type = ask(getTypeName, site);
    const method = ask(getMethodName, site);
    const object = type ? `${type}.` : '';
    if (name === '') return `${object}${method || '<anonymous>'}`;
    const whole = name !== type && isIdentifier ? object + name : name;
    return method && !isEndOf(method, name) ? `${whole} [as ${method}]` : whole;
  }

  return { functionName, rename };
}

module.exports = { namesOfSites };

function isEndOf(method, name) {
  return name === method || endsWith(name, `.${method}`) || endsWith(name, ` ${method}`);
}
