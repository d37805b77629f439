'use strict';
const { plan } = require('./plan');

exports.Booking = class {
  constructor(rows, perRow) {
    this.seats = plan(rows, perRow);
  }

  book(seat, name) {
    if (!this.seats.has(seat)) return { error: `there is no seat ${seat}` };
    this.seats.set(seat, name);
    return { seat, name };
  }
};
