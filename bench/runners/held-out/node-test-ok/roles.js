'use strict';

const ROLES = {
  reader: { inherits: [], may: ['read'] },
  editor: { inherits: ['reader'], may: ['write'] },
  chief: { inherits: ['editor'], may: ['publish'] },
};

function granted(role, seen = new Set()) {
  const { inherits, may } = ROLES[role];
  for (const right of may) seen.add(right);
  for (const other of inherits) granted(other, seen);
  return seen;
}

module.exports = { granted };
