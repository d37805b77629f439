'use strict';
const { expect } = require('@hapi/code');
const Lab = require('@hapi/lab');
const { Booking } = require('../lib/booking');

const { describe, it, beforeEach } = (exports.lab = Lab.script());

describe('booking', () => {
  let booking;

  beforeEach(() => {
    booking = new Booking(3, 4);
  });

  it('has all seats', () => {
    expect(booking.seats.size).to.equal(12);
  });

  it('refuses what is not there', () => {
    expect(booking.book('9A', 'Ann').error).to.contain('9A');
  });

  it('books by the window', async () => {
    const booked = await booking.book('2A', 'Ann');
    expect(booked).to.equal({ seat: '2A', name: 'Ann' });
  });
});
