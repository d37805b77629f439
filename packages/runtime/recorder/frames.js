// Helpers that name a frame, and those that write nothing.
function recordFrameValue(S, frame, x) {
  valueWith(S, x, frame);
  return x;
}

function recordFrameMark(S, frame) {
  ensure(2);
  words[cursor + 1] = frame;
  words[cursor] = S;
  cursor += 2;
}

const noArguments = {
  __proto__: null,
  [Symbol.iterator]: () => ({ __proto__: null, next: () => ({ __proto__: null, done: true, value: undefined }) }),
};

// As recordFrameMark, spread among the arguments of a call that has none.
function recordFrameMarkSpread(S, frame) {
  recordFrameMark(S, frame);
  return noArguments;
}

function giveFirst(x) {
  return x;
}

function giveSecond(mark, x) {
  return x;
}

// A field whose key nobody knows is about to get this value: the object is looked at again when it is used next.
function lookAgain(o, x) {
  const stamp = stampOf(o);
  if (stamp > 0) setStamp(o, -stamp);
  return x;
}
