'use strict';
// A house of rooms: which doors are open at an hour, and how far one comes.

function isOpen(door, hour) {
  if (door.from <= door.to) return hour >= door.from && hour < door.to;
  return hour >= door.from || hour < door.to;
}

function leadsFrom(door, room) {
  return door.a === room || door.b === room;
}

function otherSide(door, room) {
  return door.a === room ? door.b : door.a;
}

function neighbours(doors, room, hour) {
  const found = [];
  for (const door of doors) {
    if (leadsFrom(door, room) && isOpen(door, hour)) found.push(otherSide(door, room));
  }
  return found;
}

function contains(list, item) {
  for (const one of list) if (one === item) return true;
  return false;
}

function reachable(doors, start, hour) {
  const seen = [start];
  for (let i = 0; i < seen.length; i++) {
    for (const room of neighbours(doors, seen[i], hour)) {
      if (!contains(seen, room)) seen.push(room);
    }
  }
  return seen;
}

function countOpen(doors, hour) {
  let n = 0;
  for (const door of doors) if (isOpen(door, hour)) n++;
  return n;
}

function busiest(doors, hours) {
  let best = hours[0];
  for (const hour of hours) if (countOpen(doors, hour) > countOpen(doors, best)) best = hour;
  return best;
}

function main(input) {
  for (const hour of input.hours) console.log('at', hour, reachable(input.doors, 'hall', hour).join(' '));
  console.log('busiest', busiest(input.doors, input.hours));
}

const INPUTS = {
  usual: {
    doors: [
      { a: 'hall', b: 'kitchen', from: 6, to: 22 },
      { a: 'hall', b: 'cellar', from: 20, to: 4 },
      { a: 'kitchen', b: 'garden', from: 8, to: 18 },
      { a: 'garden', b: 'shed', from: 9, to: 17 },
      { a: 'cellar', b: 'tunnel', from: 0, to: 3 },
      { a: 'kitchen', b: 'attic', from: 12, to: 13 },
    ],
    hours: [1, 7, 8, 12, 17, 21],
  },
  small: { doors: [{ a: 'hall', b: 'kitchen', from: 6, to: 22 }], hours: [10] },
};

module.exports = { isOpen, leadsFrom, otherSide, neighbours, contains, reachable, countOpen, busiest, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
