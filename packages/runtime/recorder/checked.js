// Helpers that look for room themselves.
function room() {
  if (cursor > limit) nextChunk();
}

function checkedPutNumber(S, o, number, x) {
  if (number > 0 && typeof x === 'number') doubleWith(S | TAG.DOUBLE, x, number);
  else anyWritten(S, o, number, x);
  return x;
}

// The helpers that leave it to others to look for room, where these others may emit nothing.
const checked = {
  [HELPER.PUT_NUMBER]: checkedPutNumber,
  [HELPER.VALUE](S, x) {
    room();
    return recordValue(S, x);
  },
  [HELPER.RECEIVER](S, x, number) {
    room();
    return recordReceiver(S, x, number);
  },
  [HELPER.FUNCTION](S, f) {
    room();
    return recordFunction(S, f);
  },
  [HELPER.CLASS](S, c) {
    room();
    return recordClass(S, c);
  },
  [HELPER.TRUTH](S, x) {
    room();
    return recordTruth(S, x);
  },
  [HELPER.PRESENCE](S, x) {
    room();
    return recordPresence(S, x);
  },
  [HELPER.MARK](S) {
    room();
    recordMark(S);
  },
  [HELPER.NUMBERED](S, x, number) {
    room();
    return recordNumbered(S, x, number);
  },
  [HELPER.NUMBER](S, x) {
    room();
    return recordNumber(S, x);
  },
  [HELPER.INTEGER](S, x) {
    room();
    return recordInteger(S, x);
  },
  [HELPER.LITERAL](S, x) {
    room();
    return recordLiteral(S, x);
  },
  [HELPER.PUT_COMPUTED](S, o, number, x, key, valueNumber) {
    room();
    return putComputed(S, o, number, x, key, valueNumber);
  },
  [HELPER.PUT_COMPUTED_VALUE_FIRST](S, x, o, number, key) {
    room();
    return putComputed(S, o, number, x, key);
  },
  [HELPER.PUT_BY_PATTERN](S, o, key) {
    room();
    putByPattern(S, o, key);
  },
};
