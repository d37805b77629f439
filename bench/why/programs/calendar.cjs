// Meetings of several people, merged, and the time that is free for all.
const assert = require('node:assert');

function minutes(clock) {
  const [hours, rest] = clock.split(':').map(Number);
  return hours * 60 + rest;
}

function clock(time) {
  const rest = time % 60;
  return `${Math.floor(time / 60)}:${rest < 10 ? '0' : ''}${rest}`;
}

function parse(text) {
  return text.split(' ').map((part) => {
    const [start, end] = part.split('-').map(minutes);
    return { start, end };
  });
}

function merge(intervals) {
  const sorted = [...intervals].sort((a, b) => a.start - b.start);
  const merged = [];
  for (const interval of sorted) {
    const last = merged[merged.length - 1];
    if (last !== undefined && interval.start <= last.end) {
      last.end = Math.max(last.end, interval.end);
    } else {
      merged.push({ ...interval });
    }
  }
  return merged;
}

function gaps(busy, day) {
  const free = [];
  let from = day.start;
  for (const { start, end } of busy) {
    if (start > from) free.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (from < day.end) free.push({ start: from, end: day.end });
  return free;
}

function freeFor(people, day, length) {
  const all = people.flatMap((person) => parse(person.meetings));
  const free = gaps(merge(all), day);
  return free.filter(({ start, end }) => end - start >= length);
}

function suggest(people, length) {
  const [day] = parse('9:00-17:30');
  const slots = freeFor(people, day, length);
  if (slots.length === 0) return 'none';
  return slots.map(({ start, end }) => `${clock(start)}-${clock(end)}`).join(', ');
}

// checks
const people = [
  { name: 'ann', meetings: '9:00-9:30 11:00-12:15 16:00-17:00' },
  { name: 'bob', meetings: '9:15-10:05 12:00-13:00' },
  { name: 'cy', meetings: '14:30-15:00 10:00-10:20' },
];
assert.strictEqual(suggest(people, 30), '10:20-11:00, 13:00-14:30, 15:00-16:00, 17:00-17:30');
assert.strictEqual(suggest(people, 90), '13:00-14:30');
