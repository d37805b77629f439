'use strict';
// Lessons into rooms: which overlap, which room is free, how long somebody waits.

class Lesson {
  constructor(name, start, length, size) {
    this.name = name;
    this.start = start;
    this.length = length;
    this.size = size;
    this.room = null;
  }
}

function endOf(lesson) {
  return lesson.start + lesson.length;
}

function overlap(one, other) {
  return one.start < endOf(other) && other.start < endOf(one);
}

function fits(room, lesson) {
  return room.seats >= lesson.size;
}

function isFree(room, lessons, lesson) {
  for (const other of lessons) {
    if (other.room === room.name && overlap(other, lesson)) return false;
  }
  return true;
}

function smallestFor(rooms, lessons, lesson) {
  let best = null;
  for (const room of rooms) {
    if (!fits(room, lesson) || !isFree(room, lessons, lesson)) continue;
    if (best === null || room.seats < best.seats) best = room;
  }
  return best;
}

function assign(rooms, lessons) {
  let n = 0;
  for (const lesson of lessons) {
    const room = smallestFor(rooms, lessons, lesson);
    if (room === null) continue;
    lesson.room = room.name;
    n++;
  }
  return n;
}

function gaps(lessons, room) {
  let last = 8;
  let free = 0;
  for (const lesson of lessons) {
    if (lesson.room !== room) continue;
    if (lesson.start > last) free += lesson.start - last;
    if (endOf(lesson) > last) last = endOf(lesson);
  }
  return free;
}

function use(lessons, room) {
  let hours = 0;
  for (const lesson of lessons) if (lesson.room === room) hours += lesson.length;
  return hours;
}

function main(input) {
  const lessons = [];
  for (const [name, start, length, size] of input.lessons) lessons.push(new Lesson(name, start, length, size));
  console.log('assigned', assign(input.rooms, lessons));
  for (const lesson of lessons) console.log(lesson.name, lesson.room);
  for (const room of input.rooms) console.log(room.name, use(lessons, room.name), gaps(lessons, room.name));
}

const INPUTS = {
  usual: {
    rooms: [{ name: 'blue', seats: 30 }, { name: 'red', seats: 12 }, { name: 'green', seats: 20 }],
    lessons: [
      ['maths', 8, 2, 18], ['art', 9, 1, 10], ['music', 9, 2, 12], ['sport', 10, 2, 28], ['latin', 11, 1, 20],
      ['greek', 11, 2, 5], ['chess', 12, 3, 12], ['drama', 13, 1, 35], ['cooking', 14, 2, 11],
    ],
  },
  small: { rooms: [{ name: 'blue', seats: 30 }], lessons: [['maths', 8, 2, 18]] },
};

module.exports = { Lesson, endOf, overlap, fits, isFree, smallestFor, assign, gaps, use, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
