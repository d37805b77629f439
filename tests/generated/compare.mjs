// What the program logged against what the trace holds.
const KINDS = new Set(['Var', 'VarIncrement', 'Param', 'Put', 'PutComputed', 'Enter', 'Return', 'Throw', 'Catch', 'Branch', 'Loop', 'Nullish', 'Case']);
const BY_LINE = new Set(['Branch', 'Loop', 'Nullish', 'Case']);
const LONGEST = 200;

// The first difference in words, or nothing. `n_lines`: of the program.
export function difference(log, events, n_lines) {
  const recorded = events.filter((e) => isLogged(e, n_lines));
  const objects = new Map();
  for (let i = 0; i < Math.max(log.length, recorded.length); i++) {
    const problem = problemWith(log[i], recorded[i], objects);
    if (problem) return `${problem}\n  logged   ${JSON.stringify(log[i])}\n  recorded ${JSON.stringify(recorded[i])}\n  before   ${JSON.stringify(log.slice(Math.max(0, i - 3), i))}`;
  }
  return undefined;
}

// The generated programs log everything of these kinds, but for their own bookkeeping and their top level, which is entered on the
// first line and left on the last.
function isLogged(e, n_lines) {
  if (!KINDS.has(e.kind)) return false;
  if (e.kind === 'Enter' || e.kind === 'Return') return e.line !== 1 && e.line !== n_lines;
  return !['Var', 'VarIncrement', 'Param'].includes(e.kind) || /^v\d+$/.test(e.names[0]);
}

function problemWith(entry, e, objects) {
  if (!e) return 'is missing in the trace';
  if (!entry) return 'is only in the trace';
  const [kind, name, value, depth, object] = entry;
  if (e.kind !== kind) return `${kind} expected, ${e.kind} recorded`;
  if (BY_LINE.has(kind) && e.line !== name) return `line ${name} expected`;
  if (['Var', 'VarIncrement', 'Param', 'Put'].includes(kind) && e.names[0] !== name) return `${name} expected`;
  if (kind === 'PutComputed' && ![`${name}`, `"${name}"`].includes(e.key.text)) return `key ${name} expected`;
  if (kind === 'Enter' && name !== '?' && e.function.split('.').at(-1) !== name) return `function ${name} expected`;
  if (typeof depth === 'number' && e.depth !== depth) return `depth ${depth} expected`;
  if (object !== undefined && !sameObject(objects, object, e.object)) return 'another object was written';
  if (kind === 'Enter' || kind === 'Case') return undefined;
  // The event of a condition that is a call holds the call's value, whose truth tells the way.
  if (kind === 'Branch' || kind === 'Loop') return value.text === String(isTrue(e.value)) ? undefined : 'another way';
  return sameValue(value, e.value, objects) ? undefined : 'another value';
}

function isTrue({ type, text }) {
  return !['undefined', 'null'].includes(type) && !['false', '0', '-0', 'NaN', '0n', '""'].includes(text);
}

function sameValue(logged, recorded, objects) {
  if (!recorded || logged.type !== recorded.type) return logged.type === 'undefined' && !recorded;
  if (logged.type === 'object') return sameObject(objects, logged.object, recorded.object);
  if (logged.type !== 'string') return logged.text === recorded.text;
  const length = /^"…" \((\d+) characters\)$/.exec(recorded.text)?.[1];
  if (length) return logged.text.length === Number(length);
  const characters = [...logged.text];
  return recorded.text === (characters.length > LONGEST ? `${JSON.stringify(characters.slice(0, LONGEST).join('')).slice(0, -1)}…"` : JSON.stringify(logged.text));
}

// One number of the program's for one of the trace's, both ways.
function sameObject(objects, logged, recorded) {
  for (const [from, to] of [[`logged ${logged}`, recorded], [`recorded ${recorded}`, logged]]) {
    if (!objects.has(from)) objects.set(from, to);
    if (objects.get(from) !== to) return false;
  }
  return true;
}
