'use strict';
exports.plan = (rows, perRow) => {
  const seats = new Map();
  for (let row = 1; row <= rows; row++) {
    for (let seat = 1; seat <= perRow; seat++) seats.set(`${row}${'ABCDEF'[seat]}`, null);
  }
  return seats;
};
