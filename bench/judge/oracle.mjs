// node oracle.mjs PROGRAM < question.json
// Answers a question of `wherefore judge` as the correct PROGRAM would: it rebuilds what the call could reach when it began, makes
// the same call there, and compares what came back, what was thrown, what was printed and what every object holds then.
// Prints valid, or invalid and the place that is wrong (none where it has no name: an exception, output), or unknown and why on stderr.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { format } from 'node:util';
import vm from 'node:vm';
import { difference } from './difference.mjs';
import { parse } from './heap.mjs';

const LONGEST_MS = 2000;

const program = createRequire(import.meta.url)(path.resolve(process.argv[2]));
const { question } = JSON.parse(fs.readFileSync(0, 'utf8'));
try {
  const wrong = judge(question);
  process.stdout.write(wrong === undefined ? 'valid\n' : `invalid ${wrong}\n`);
} catch (error) {
  process.stderr.write(`oracle: ${error.stack}\n`);
  process.stdout.write('unknown\n');
}
// When the question came and when it was answered, for whoever measures.
if (process.env.JUDGE_LOG) fs.appendFileSync(process.env.JUDGE_LOG, `${Math.round(performance.timeOrigin)} ${Date.now()}\n`);

/** Where what the call did is not what it should have done, as far as that is a place; undefined if it is right. */
function judge({ call, this: receiver, arguments: given, outcome, objects, output }) {
  // The whole program: the person came because it is wrong.
  if (!call.function) return '';
  const before = parse(objects, 'entry', program);
  const after = parse(objects, 'exit', program);
  const isBirth = isClass(program[call.function]);
  const self = receiver && !isBirth ? before.value(receiver) : undefined;
  const now = made(call.function, self, given.map((argument) => before.value(argument.entry)));
  if (now.kind !== outcome.kind) return '';
  if (now.output.join('') !== lines(output)) return '';
  if (now.kind === 'threw' && errorText(now.value) !== errorText(after.value(outcome.value))) return '';
  const places = given.map(({ name, entry }) => [name, before.value(entry), after.value(entry)]);
  if (isBirth) places.unshift(['this', now.value, after.value(receiver)]);
  else if (receiver) places.unshift(['this', self, after.value(receiver)]);
  if (now.kind === 'returned' && !isBirth) places.unshift(['return', now.value, after.value(outcome.value)]);
  // What can no longer be reached is compared as well, as somebody else may hold it; but nobody could name its place.
  return difference(places) ?? (difference([...places, ...shared(before, after)]) === undefined ? undefined : '');
}

/** What the call does in the correct program. One that does not come back differs from any that did. */
function made(name, self, given) {
  const callee = self?.[name] ?? program[name];
  if (typeof callee !== 'function') throw new Error(`the correct program has no ${name}`);
  globalThis.callIt = () => (isClass(callee) ? new callee(...given) : callee.apply(self, given));
  const output = [];
  const { log } = console;
  console.log = (...parts) => output.push(`${format(...parts)}\n`);
  try {
    return { kind: 'returned', value: vm.runInThisContext('callIt()', { timeout: LONGEST_MS }), output };
  } catch (value) {
    return { kind: value.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'endless' : 'threw', value, output };
  } finally {
    console.log = log;
  }
}

/** Each object that was reachable when the call began, as the correct call left it and as the recorded one did. */
function shared(before, after) {
  return [...before.made].map(([number, object]) => ['', object, after.object(number)]);
}

function lines(output) {
  return output.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
}

function errorText(error) {
  return String(error?.name ?? error);
}

function isClass(callee) {
  return typeof callee === 'function' && Function.prototype.toString.call(callee).startsWith('class');
}
