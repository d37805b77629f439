// The cursor, and the room that is left in the chunk being written.
// Made integers, or V8 would keep them as boxed doubles.
var cursor = state[0] | 0;
var limit = state[1] | 0;
var frames = 0;
var objects = 0;
var strings = 0;
var symbols = 0;

// See rehearse.
var isRehearsal = false;

function nextChunk() {
  if (isRehearsal) {
    limit = NO_LIMIT;
    return;
  }
  advance(cursor, frames, strings, symbols);
  cursor = state[0] | 0;
  limit = state[1] | 0;
  for (let i = 0; i < CACHE + LONG_CACHE; i++) cachedText[i] = undefined;
}

function ensure(n) {
  if (cursor + n > limit) nextChunk();
}
