'use strict';
// The marks of a class: averages without the worst mark, grades, and a ranking.

class Pupil {
  constructor(name, marks) {
    this.name = name;
    this.marks = marks;
  }
}

function worst(marks) {
  let at = 0;
  for (let i = 1; i < marks.length; i++) if (marks[i] < marks[at]) at = i;
  return at;
}

function sum(marks) {
  let total = 0;
  for (const mark of marks) total += mark;
  return total;
}

function withoutWorst(marks) {
  const skipped = worst(marks);
  const kept = [];
  for (let i = 0; i < marks.length; i++) if (i !== skipped) kept.push(marks[i]);
  return kept;
}

function average(marks) {
  if (marks.length === 0) return 0;
  return sum(marks) / marks.length;
}

function score(pupil) {
  const counted = pupil.marks.length > 3 ? withoutWorst(pupil.marks) : pupil.marks;
  return Math.round(average(counted) * 10) / 10;
}

function grade(points) {
  if (points >= 90) return 'A';
  if (points >= 75) return 'B';
  if (points >= 60) return 'C';
  return 'F';
}

function isBefore(one, other) {
  const difference = score(other) - score(one);
  return difference === 0 ? one.name < other.name : difference < 0;
}

function ranked(pupils) {
  const order = [];
  for (const pupil of pupils) {
    let at = order.length;
    while (at > 0 && isBefore(pupil, order[at - 1])) at--;
    order.splice(at, 0, pupil);
  }
  return order;
}

function histogram(pupils) {
  const counts = { A: 0, B: 0, C: 0, F: 0 };
  for (const pupil of pupils) counts[grade(score(pupil))]++;
  return counts;
}

function main(input) {
  const pupils = [];
  for (const [name, ...marks] of input) pupils.push(new Pupil(name, marks));
  for (const pupil of ranked(pupils)) console.log(pupil.name, score(pupil), grade(score(pupil)));
  const counts = histogram(pupils);
  console.log('A', counts.A, 'B', counts.B, 'C', counts.C, 'F', counts.F);
}

const INPUTS = {
  usual: [
    ['Ann', 90, 95, 40, 99], ['Bob', 75, 75, 75], ['Cid', 50, 61, 62, 60, 57], ['Dee', 88, 92, 90],
    ['Eve', 30, 55, 41], ['Flo', 74, 76, 75, 12], ['Gus', 100, 100, 100, 100], ['Hal', 60, 60],
  ],
  small: [['Ann', 80, 90]],
};

module.exports = { Pupil, worst, sum, withoutWorst, average, score, grade, isBefore, ranked, histogram, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
