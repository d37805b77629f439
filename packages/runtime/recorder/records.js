// What the loader tells: output, uncaught exceptions, messages, the end.
function record(header, arg, first, n, second) {
  ensure(4);
  if (n > 1) words[cursor + 2] = second;
  if (n > 0) words[cursor + 1] = first;
  words[cursor] = (arg << LAYOUT.ARGUMENT_SHIFT) | header;
  cursor += n + 1;
}

function output(fd, byteLength, text) {
  const taken = typeof text === 'string' ? stringNumber(text) : 0;
  record(HEADER.OUTPUT, fd, byteLength, 2, taken);
}

function uncaught(value, isRejection) {
  const end = bornWith(0, value);
  ensure(4);
  for (let k = 0; k < end; k++) words[cursor + 1 + k] = born[k];
  words[cursor] = ((isRejection ? 1 : 0) << LAYOUT.ARGUMENT_SHIFT) | HEADER.UNCAUGHT;
  cursor += 1 + end;
}

// What went to another thread or process (0), or came from one (1), and the name of a channel (2).
// An object that is sent is only mentioned: what it holds is taken where the program uses it. One that came is looked at, because a
// pattern may take what it holds without using it; but no piece of a stream, and nothing where no code runs that is recorded.
function message(step, channel, from, length, value) {
  let end = 2;
  if (isObject(value)) {
    born[1] = mention(value);
    born[0] = TAG.OBJECT;
  } else end = bornWith(0, value);
  ensure(end + 5);
  const at = cursor;
  words[at + 1] = channel;
  words[at + 2] = from % 4294967296 | 0;
  words[at + 3] = from / 4294967296 | 0;
  words[at + 4] = length;
  for (let k = 0; k < end; k++) words[at + 5 + k] = born[k];
  words[at] = (step << LAYOUT.ARGUMENT_SHIFT) | HEADER.MESSAGE;
  cursor = at + 5 + end;
  if (step === STEP.RECEIVED && frames > 0 && isObject(value) && !isView(value)) use(value);
}

// Asks for the stack perhaps, which leads to `seen`.
let isPuttingRight = false;

function putMessageRight(error) {
  if (mendMessage === undefined) return;
  isPuttingRight = true;
  mendMessage(error);
  isPuttingRight = false;
}

// What code that is not recorded threw and caught (a test runner of Node) is met nowhere but where its stack is written out.
function seen(error) {
  if (isPuttingRight) return;
  if (!isSparse && otherKinds !== undefined && otherKinds[NATIVE_ERROR](error)) bornWith(0, error);
}

// The number of an error that a test runner was told of; undefined where it has none, or is none.
function numberSeen(error) {
  seen(error);
  const stamp = stampOf(error);
  return stamp === undefined ? undefined : numberOf(error);
}

function threadEnd(code) {
  record(HEADER.THREAD_END, code & 0xfffff, 0, 0, 0);
}
