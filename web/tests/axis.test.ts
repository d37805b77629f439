// Marks in milliseconds on an axis of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeAt, timeMarks } from '../src/views/timeline/axis';

const KNOWN: [number, number][] = [[0, 10], [100, 20], [200, 520], [300, 530]];

test('between two known events time goes on evenly', () => {
  assert.equal(timeAt(KNOWN, 50), 15);
  assert.equal(timeAt(KNOWN, 0), 10);
  assert.equal(timeAt(KNOWN, 150), 270);
  assert.equal(timeAt(KNOWN, 400), 530);
  assert.equal(timeAt([], 7), undefined);
});

test('marks stand at even distances, whatever time does', () => {
  const marks = timeMarks(KNOWN, { from: 0, to: 300 }, 6);
  assert.deepEqual(marks, [
    { event: 0, text: '10 ms' },
    { event: 50, text: '15 ms' },
    { event: 100, text: '20 ms' },
    { event: 150, text: '270 ms' },
    { event: 200, text: '520 ms' },
    { event: 250, text: '525 ms' },
  ]);
});

test('two marks that are near in time have as many places as it takes', () => {
  const marks = timeMarks([[0, 1], [1000, 1.5]], { from: 0, to: 1000 }, 5);
  assert.equal(new Set(marks.map(({ text }) => text)).size, marks.length);
  assert.ok(marks.length > 1);
});

test('where no time is known there are no marks', () => {
  assert.deepEqual(timeMarks([], { from: 0, to: 10 }, 5), []);
  assert.deepEqual(timeMarks([[0, 5], [10, 5]], { from: 0, to: 10 }, 5), []);
});
