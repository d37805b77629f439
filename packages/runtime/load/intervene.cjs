// What is different in an experiment: a call of HELPER.EXPERIMENT, `(value, other)`, stands around one expression of the program (crates/instrument/src/intervene.rs).
// It gives the value, but for one hit of this thread, or for all of them (`hit` 0): there it gives what `other` gives, or the truth that is
// `forced`, or else the other truth. `onFirst` is told when that happens first.
'use strict';

function create(hit, forced, onFirst) {
  let nHits = 0;
  let isTold = onFirst === undefined;
  return function intervened(value, other) {
    nHits++;
    if (hit !== 0 && nHits !== hit) return value;
    if (!isTold) {
      isTold = true;
      onFirst();
    }
    if (other !== undefined) return other();
    return forced === undefined ? !value : forced;
  };
}

module.exports = { create };
