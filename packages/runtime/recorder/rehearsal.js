// The end of a chunk is rehearsed before the program runs.
const NO_LIMIT = 1 << 30;
// V8 notes what a function does only after some rounds, and ignores calls that are rarer than about one in seven when it
// chooses what to put in place.
const ROUNDS = 200;
const endsChunk = (round) => round === ROUNDS / 2 || round === ROUNDS - 1;

// V8 compiles a call that never happened as a way back to the interpreter. The end of a chunk comes when the helpers are
// compiled into many functions of the program, all of which would be compiled anew. So it happens here once, for show, in
// words of a free chunk, which nobody reads if the process is killed meanwhile.
function rehearse() {
  const before = { cursor, limit };
  const start = words.length >> 1;
  cursor = start;
  const o = {};
  const acts = [
    () => enter(0, 0),
    () => scope(0),
    () => any(0, 0),
    () => other(0, undefined),
    () => double(0, 0.5),
    () => recordNumber(0, 0.5),
    () => recordLoopValue(0, 0),
    () => recordLoopTruth(0, true),
    () => putNumber(0, o, 1, 0.5),
    () => putLiteral(0, o, 1, 0),
    () => put(0, o, 1, 0),
    () => beforePut(0, o, 1, 0),
    () => ensure(0),
  ];
  isRehearsal = true;
  for (let round = 0; round < ROUNDS; round++) {
    for (let k = 0; k < acts.length; k++) {
      limit = endsChunk(round) ? -1 : NO_LIMIT;
      acts[k]();
    }
  }
  isRehearsal = false;
  for (let at = start; at < cursor; at++) words[at] = 0;
  ({ cursor, limit } = before);
  frames = 0;
}

// Where identity is a WeakMap nobody waits for speed.
if (idSymbol !== undefined) rehearse();
