// The comment that a function carries whose text was changed, with its number.
'use strict';
const { MARK_OPENING } = load('contract.generated.cjs');

const OPENING = MARK_OPENING.replace(/[/*]/g, '\\$&');

function marks(flags) {
  return new RegExp(`${OPENING}([0-9a-f]{8})\\*\\/`, flags);
}

module.exports = { marks };
