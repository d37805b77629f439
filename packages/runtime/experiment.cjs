// Runs in every Node process of an experiment before the program. One text of the program is another one; nothing else is touched, and
// nothing is recorded: an experiment is to cost what a plain run costs. What was asked for is in the file that requires this one.
//
// The text is exchanged where it is compiled, and only if it is the one that was recorded: CommonJS, ES modules, and what a tool
// compiles itself with node:vm. With `observes` it is noted instead what the program does to the world outside.
'use strict';
const fs = require('fs');
const path = require('path');
const Module = require('module');

const { apply, construct, defineProperty } = Reflect;
const { appendFileSync, readFileSync } = fs;

// `preload`: the file that requires this one; `change`: undefined, or the path of the code, the files with its text before and after, the
// hit and the way that is forced; `notes`: where to tell what happened.
module.exports = function start({ preload, change, notes, observes }) {
  let isNoting = false;
  const note = (...fields) => {
    // What is observed calls itself: to note is to write.
    if (isNoting) return;
    isNoting = true;
    // Ours must not fail where the program does not.
    try { appendFileSync(notes, `${fields.map((field) => encodeURIComponent(field)).join(' ')}\n`); } catch {}
    isNoting = false;
  };
  try {
    hide(preload);
    passOn(preload, observes ? note : undefined);
    if (observes) observe(note);
    if (change !== undefined) exchange(change, note);
  } catch (error) {
    // The program goes on as it is, and whoever made the experiment knows.
    note('failed', `${(error && error.stack) || error}`);
  }
};

// The environment, the arguments and the module cache are those of the plain run.
function hide(preload) {
  const own = `--require=${quoted(preload)}`;
  const options = process.env.NODE_OPTIONS;
  if (options === own) delete process.env.NODE_OPTIONS;
  else if (options && options.endsWith(` ${own}`)) process.env.NODE_OPTIONS = options.slice(0, -own.length - 1);
  for (let i = process.execArgv.length - 1; i >= 0; i--) {
    if (process.execArgv.slice(i, i + 2).join('=') === `--require=${preload}`) process.execArgv.splice(i, 2);
    else if (process.execArgv[i] === `--require=${preload}`) process.execArgv.splice(i, 1);
  }
  const preloads = process._preload_modules;
  if (Array.isArray(preloads) && preloads.includes(preload)) {
    defineProperty(process, '_preload_modules', { value: preloads.filter((name) => name !== preload) });
  }
  for (const file of [preload, __filename]) {
    delete Module._cache[file];
    for (const key of Object.keys(Module._pathCache)) if (Module._pathCache[key] === file) delete Module._pathCache[key];
  }
}

// As Node reads NODE_OPTIONS: quotes keep blanks, a backslash keeps what follows.
function quoted(file) {
  return /[ \t\n\v\f\r"\\]/.test(file) ? `"${file.replace(/["\\]/g, '\\$&')}"` : file;
}

// Children are part of the experiment: they get the option that this process was started with.
function passOn(preload, note) {
  const own = `--require=${quoted(preload)}`;
  const withOurs = (pairs) => {
    const at = pairs.findIndex((pair) => pair.startsWith('NODE_OPTIONS='));
    return at < 0 ? [...pairs, `NODE_OPTIONS=${own}`] : pairs.map((pair, i) => (i === at ? `${pair} ${own}` : pair));
  };
  const wrap = (holder, name, pidOf) => {
    const plain = holder[name];
    const wrapper = { [name](...args) {
      const options = args[0];
      const file = options?.file ?? (typeof options === 'string' ? options : '');
      // Before Node 24, one object; since then file, arguments, folder, environment, …
      if (Array.isArray(options?.envPairs)) args[0] = { __proto__: options, envPairs: withOurs(options.envPairs) };
      else if (Array.isArray(args[3])) args[3] = withOurs(args[3]);
      const result = apply(plain, this, args);
      if (note) note('child', pidOf(this, result), file);
      return result;
    } }[name];
    defineProperty(holder, name, { value: wrapper, writable: true, configurable: true, enumerable: true });
  };
  const noDeprecation = Object.getOwnPropertyDescriptor(process, 'noDeprecation');
  // With --no-deprecation it is true, and cannot be written.
  if (noDeprecation?.writable !== false) process.noDeprecation = true;
  try {
    wrap(process.binding('process_wrap').Process.prototype, 'spawn', (handle) => `${handle.pid}`);
    wrap(process.binding('spawn_sync'), 'spawn', (_, result) => `${result?.pid}`);
  } catch {
    // Without process.binding (the permission model) children run as they are.
  }
  if (noDeprecation === undefined) delete process.noDeprecation;
  else if (noDeprecation.writable !== false) defineProperty(process, 'noDeprecation', noDeprecation);
}

function exchange(change, note) {
  let texts;
  const other = (name, text) => {
    if (typeof text !== 'string' || plainPath(name) !== change.path) return undefined;
    texts ??= [readFileSync(change.before, 'utf8'), readFileSync(change.after, 'utf8')];
    if (text === texts[0]) return texts[1];
    note('other-text');
    return undefined;
  };
  const { create } = compiled('load/intervene.cjs');
  // Told once by all threads of this process: it is said by whether the line is there.
  const helper = create(change.hit, change.forced, () => note('applied'));
  giveTo(globalThis, helper);
  exchangeCommonJs(other);
  exchangeModules(other);
  exchangeScripts(other, helper);
}

function compiled(name) {
  const unit = { exports: {} };
  const text = readFileSync(path.join(__dirname, name), 'utf8');
  require('vm').compileFunction(text, ['module'])(unit);
  return unit.exports;
}

function giveTo(realm, helper) {
  const { HELPER, PREFIX } = compiled('contract.generated.cjs');
  defineProperty(realm, `${PREFIX}${HELPER.EXPERIMENT}`, { value: helper, configurable: true });
}

function plainPath(name) {
  if (typeof name !== 'string') return undefined;
  return name.startsWith('file:') ? require('url').fileURLToPath(name.replace(/[?#].*$/, '')) : name;
}

function exchangeCommonJs(other) {
  const { _compile } = Module.prototype;
  Module.prototype._compile = function (...args) {
    args[0] = other(args[1], args[0]) ?? args[0];
    return apply(_compile, this, args);
  };
}

function exchangeModules(other) {
  const decoded = (source) => (typeof source === 'string' ? source : new TextDecoder().decode(source));
  if (typeof Module.registerHooks === 'function') {
    Module.registerHooks({
      load(url, context, nextLoad) {
        const result = nextLoad(url, context);
        if (result.format !== 'module' || result.source == null || !url.startsWith('file:')) return result;
        const text = other(url, decoded(result.source));
        return text === undefined ? result : { ...result, source: text };
      },
    });
    return;
  }
  // Node 20 has its hooks in another thread: what its loader reads is exchanged.
  const { readFile } = fs.promises;
  const { Buffer } = globalThis;
  fs.promises.readFile = function (url, ...rest) {
    const reading = apply(readFile, this, [url, ...rest]);
    if (rest.length > 0 || !(url instanceof URL)) return reading;
    return reading.then((bytes) => {
      const text = other(url.href, bytes.toString('utf8'));
      return text === undefined ? bytes : Buffer.from(text);
    });
  };
}

// What jest and vitest compile: their contexts have global objects of their own.
function exchangeScripts(other, helper) {
  const vm = require('vm');
  const nameOf = (options) => (typeof options === 'string' ? options : options?.filename);
  const exchanged = new WeakSet();
  const { Script, compileFunction } = vm;
  vm.Script = new Proxy(Script, {
    construct(target, args, newTarget) {
      const text = other(nameOf(args[1]), args[0]);
      if (text !== undefined) args = [text, ...args.slice(1)];
      const script = construct(target, args, newTarget);
      if (text !== undefined) exchanged.add(script);
      return script;
    },
  });
  const reach = (context) => {
    if (context && vm.isContext(context)) new Script('(give, helper) => give(globalThis, helper)').runInContext(context)(giveTo, helper);
  };
  const { runInContext } = Script.prototype;
  Script.prototype.runInContext = function (...args) {
    if (exchanged.has(this)) reach(args[0]);
    return apply(runInContext, this, args);
  };
  vm.compileFunction = function (...args) {
    const text = other(nameOf(args[2]), args[0]);
    if (text !== undefined) {
      args[0] = text;
      reach(args[2]?.parsingContext);
    }
    return apply(compileFunction, this, args);
  };
  for (const name of ['runInThisContext', 'runInContext']) {
    const plain = vm[name];
    vm[name] = function (...args) {
      const options = args[name === 'runInContext' ? 2 : 1];
      const text = other(nameOf(options), args[0]);
      if (text !== undefined) {
        args[0] = text;
        if (name === 'runInContext') reach(args[1]);
      }
      return apply(plain, this, args);
    };
  }
}

// What the program does to the world: files that it writes, processes that it starts, hosts that it talks to.
function observe(note) {
  note('node', `${process.pid}`, `${process.ppid}`);
  const isWrite = (flags) => (typeof flags === 'number' ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) !== 0 : typeof flags === 'string' && /[wa+]/.test(flags));
  const tell = (file) => {
    if (typeof file === 'string' || file instanceof URL || Buffer.isBuffer(file)) note('write', path.resolve(file instanceof URL ? require('url').fileURLToPath(file) : `${file}`));
  };
  const paths = {
    writeFile: [0], appendFile: [0], mkdir: [0], mkdtemp: [0], rmdir: [0], rm: [0], unlink: [0], truncate: [0], chmod: [0], chown: [0], utimes: [0],
    rename: [0, 1], copyFile: [1], link: [1], symlink: [1], cp: [1],
  };
  const wrap = (holder, name, look) => {
    const plain = holder[name];
    if (typeof plain !== 'function') return;
    const wrapper = { [name](...args) {
      look(args);
      return apply(plain, this, args);
    } }[name];
    const symbols = Object.getOwnPropertySymbols(plain);
    for (const symbol of symbols) defineProperty(wrapper, symbol, Object.getOwnPropertyDescriptor(plain, symbol));
    holder[name] = wrapper;
  };
  for (const [name, at] of Object.entries(paths)) {
    const look = (args) => { for (const i of at) tell(args[i]); };
    wrap(fs, name, look);
    wrap(fs, `${name}Sync`, look);
    wrap(fs.promises, name, look);
  }
  const open = (args) => { if (isWrite(args[1])) tell(args[0]); };
  for (const holder of [fs, fs.promises]) wrap(holder, 'open', open);
  wrap(fs, 'openSync', open);
  wrap(fs, 'createWriteStream', (args) => tell(args[0]));
  const net = require('net');
  wrap(net.Socket.prototype, 'connect', (args) => {
    const [options] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
    if (options) note('connect', `${options.path ?? options.host ?? 'localhost'}`, `${options.port}`);
  });
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    this.once('listening', () => { const address = this.address(); if (address?.port !== undefined) note('listen', `${address.port}`); });
    return apply(listen, this, args);
  };
  Module.syncBuiltinESMExports();
}
