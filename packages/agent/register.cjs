// node --require wherefore-agent/register program.js: catches the crash, and is otherwise not there.
//
// The program must not be able to tell. So nothing of ours listens to an event, wraps a function or stands on a stack while its code
// runs. Around `process._fatalException` there is a proxy that has no trap for calls: Node's asking for one is what we hear. Node then tells
// the monitors of the exception, and for that one moment we are what it finds as `process.emit`, or among the monitors if there are any.
// Only then is anything loaded. What is used at that moment is taken here, before the program can replace it. If anything of ours fails,
// the program ends as it would have ended.
'use strict';
const fs = require('fs');

const { apply, defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { dlopen, getBuiltinModule, hasUncaughtExceptionCaptureCallback } = process;
const { toString } = Function.prototype;
const { slice } = String.prototype;
const thisProcess = process;
const PlainError = Error;

const MONITOR = 'uncaughtExceptionMonitor';
// A program whose handler lets it live may have any number of uncaught exceptions.
const MOST_REPORTS = 4;
const MOST_CLASSES = 16;
// What a class is called stands at the beginning of its text.
const LONGEST_CLASS = 128;
const REFRESH_S = 300;

// Inside of us in an installed package, beside us in a checkout.
const folder = fs.existsSync(`${__dirname}/runtime`) ? `${__dirname}/runtime` : `${__dirname}/../runtime`;

// In `wherefore-agent.json`; as variables of the environment they are WHEREFORE_AGENT_URL and so on.
const SETTINGS = ['url', 'key', 'release', 'root', 'cache', 'spool', 'send', 'time', 'wait', 'refresh', 'jitter'];

const settings = readSettings();
// As the addon reads them: a line for each.
let settingsText = '';
let native;
let types;
let recorder;
let nReports = 0;
if (settings !== undefined) start();
forgetThisModule();

function start() {
  settingsText = `node\t${process.versions.node}\nexecutable\t${process.execPath}\nsender\t${__dirname}/exchange.cjs\nentry\t${process.argv[1] ?? ''}\n`;
  for (const name of SETTINGS) if (settings[name] !== undefined) settingsText += `${name}\t${settings[name]}\n`;
  watchCrashes();
  try {
    startPolicy();
  } catch {
    // Idle, then.
  }
}

// What an earlier exchange with the server left is there before the program's code is loaded. A new one happens in a process of its own,
// of which the next start has something.
function startPolicy() {
  if (settings.cache === undefined) {
    require('./fetch.cjs').intoMemory(settings, record);
    return;
  }
  const { mtimeMs } = fs.statSync(settings.cache, { throwIfNoEntry: false }) ?? { mtimeMs: undefined };
  if (mtimeMs !== undefined) {
    const text = fs.readFileSync(settings.cache, 'utf8');
    // Behind the cohort and the tag, in lines of their own.
    const policy = text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1);
    if (policy !== '') record(policy);
  }
  const refresh = Number(settings.refresh ?? REFRESH_S) * 1000;
  if (!(Math.abs(Date.now() - mtimeMs) < refresh)) require('./fetch.cjs').intoFile(settings);
}

function record(policy) {
  recorder = require('./recording.cjs').start(loadNative(), folder, __filename, policy);
}

function readSettings() {
  const { env } = process;
  const file = env.WHEREFORE_AGENT_CONFIG ?? 'wherefore-agent.json';
  try {
    const given = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined;
    const found = { __proto__: null };
    for (const name of SETTINGS) {
      const value = env[`WHEREFORE_AGENT_${name.toUpperCase()}`] ?? given?.[name];
      if (value !== undefined && value !== '') found[name] = String(value);
    }
    return found.url === undefined || found.key === undefined ? undefined : found;
  } catch {
    return undefined;
  }
}

function watchCrashes() {
  const plain = process._fatalException;
  if (typeof plain !== 'function') return;
  const name = getOwnPropertyDescriptor(plain, 'name');
  const shown = (key, found) => (key === 'name' ? name : found);
  const handler = {
    __proto__: null,
    get apply() {
      listenOnce();
      // V8 names a method after the property in which it finds it, and there it finds the proxy.
      defineProperty(plain, 'name', { __proto__: null, value: name.value === '' ? '_fatalException' : `${name.value} [as _fatalException]` });
      return undefined;
    },
    get: (target, key, receiver) => shown(key, { value: get(target, key, receiver) }).value,
    getOwnPropertyDescriptor: (target, key) => shown(key, getOwnPropertyDescriptor(target, key)),
  };
  defineProperty(process, '_fatalException', { __proto__: null, value: new Proxy(plain, handler) });
}

// Whoever asks next finds what was there before.
function listenOnce() {
  try {
    if (nReports >= MOST_REPORTS) return;
    const monitors = getOwnPropertyDescriptor(thisProcess._events, MONITOR)?.value;
    if (monitors === undefined) answerOnce(thisProcess, 'emit', () => emit);
    else answerOnce(thisProcess._events, MONITOR, () => withUs(monitors));
  } catch {
    // The program made it impossible, and is left alone.
  }
}

function answerOnce(object, key, answer) {
  const own = getOwnPropertyDescriptor(object, key);
  defineProperty(object, key, {
    __proto__: null,
    configurable: true,
    enumerable: own?.enumerable === true,
    get() {
      if (own === undefined) deleteProperty(object, key);
      else defineProperty(object, key, { __proto__: null, ...own });
      return answer();
    },
  });
}

// In the place of the real one, where there is nobody to tell.
function emit(name, error) {
  if (name === MONITOR) caught(error);
  return false;
}

function withUs(monitors) {
  const all = [caught];
  const n = typeof monitors === 'function' ? 1 : monitors.length;
  for (let i = 0; i < n; i++) {
    const value = typeof monitors === 'function' ? monitors : monitors[i];
    defineProperty(all, i + 1, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
  return all;
}

// Node calls listeners by their own `apply`, which the program may have taken away.
defineProperty(caught, 'apply', { __proto__: null, value: caught.apply });

function caught(error) {
  try {
    types ??= (getBuiltinModule ?? require)('util').types;
    // Whoever captures exceptions lives on: a domain, a REPL.
    if (hasUncaughtExceptionCaptureCallback() || !types.isNativeError(error)) return;
    const stack = stackOf(error);
    if (stack === undefined) return;
    nReports++;
    recorder?.uncaught(error, false);
    loadNative()?.agentCrash?.(settingsText, classesOf(error), stack.text, stack.isFormatted, messageOf(error));
  } catch {
    // The program ends as it would have ended.
  }
}

// Where the frames of an error are, without making its `stack`: the program may yet change what would be in it. `prepareStackTrace`
// hands the frames over, and what it throws keeps V8 from keeping anything.
function stackOf(error) {
  if (!isOfThisRealm(error)) return undefined;
  const own = getOwnPropertyDescriptor(PlainError, 'prepareStackTrace');
  let sites;
  let text;
  const value = (_, given) => {
    sites = given;
    throw undefined;
  };
  defineProperty(PlainError, 'prepareStackTrace', { __proto__: null, value, writable: true, configurable: true, enumerable: own?.enumerable === true });
  try {
    const found = getOwnPropertyDescriptor(error, 'stack');
    text = found?.get === undefined ? found?.value : plainStack(error, found.get);
  } catch {
    // As we wished.
  } finally {
    if (own === undefined) deleteProperty(PlainError, 'prepareStackTrace');
    else defineProperty(PlainError, 'prepareStackTrace', { __proto__: null, ...own });
  }
  if (sites === undefined) return typeof text === 'string' ? { text, isFormatted: true } : undefined;
  let frames = '';
  for (let i = 0; i < sites.length; i++) {
    const file = sites[i].getFileName();
    if (typeof file === 'string') frames += `${file}\0${sites[i].getLineNumber()}\0${sites[i].getColumnNumber()}\0`;
  }
  return { text: frames, isFormatted: false };
}

// Newer Nodes have an accessor; one of the program's own is not asked.
function plainStack(error, getter) {
  return getter === getOwnPropertyDescriptor(new PlainError(), 'stack').get ? apply(getter, error, []) : undefined;
}

// In another realm, somebody else prepares stack traces.
function isOfThisRealm(error) {
  let at = error;
  for (let i = 0; i < MOST_CLASSES; i++) {
    at = getPrototypeOf(at);
    if (at === null || types.isProxy(at)) return false;
    if (at === PlainError.prototype) return true;
  }
  return false;
}

// The beginning of the text of its class and of those that this extends: names that stand in the source, and are no values.
function classesOf(error) {
  let texts = '';
  let at = error;
  for (let i = 0; i < MOST_CLASSES && at !== PlainError.prototype; i++) {
    at = getPrototypeOf(at);
    const made = getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof made === 'function' && !types.isProxy(made)) texts += `${apply(slice, apply(toString, made, []), [0, LONGEST_CLASS])}\0`;
  }
  return texts;
}

// Only if the operator wants it to be sent.
function messageOf(error) {
  if (settings.send === undefined) return undefined;
  const message = getOwnPropertyDescriptor(error, 'message')?.value;
  return typeof message === 'string' ? message : undefined;
}

function loadNative() {
  if (native === undefined) {
    const holder = { exports: {} };
    apply(dlopen, thisProcess, [holder, `${folder}/wherefore.node`]);
    native = holder.exports;
  }
  return native;
}

function forgetThisModule() {
  const { _cache, _pathCache } = module.constructor;
  for (const file of Object.keys(_cache)) if (file.startsWith(`${__dirname}/`)) delete _cache[file];
  for (const key of Object.keys(_pathCache)) if (_pathCache[key].startsWith(`${__dirname}/`)) delete _pathCache[key];
}
