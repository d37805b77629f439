import { isWeekend } from '../src/days';
import { hoursOf, plan } from '../src/rota';

test('one person works every day', () => {
  expect(plan(['Ann'], { from: 'Mon', days: 3 }).map((shift) => shift.who)).toEqual(['Ann', 'Ann', 'Ann']);
});

test('days off', () => {
  expect(isWeekend('Sat')).toBe(true);
  expect(isWeekend('Fri')).toBe(false);
});

test('hours are summed up', () => {
  expect(hoursOf(plan(['Ann', 'Bob'], { from: 'Mon', days: 4 }), 'Bob')).toBe(16);
});

test('shifts go over the weekend', () => {
  expect(plan(['Ann', 'Bob', 'Cy'], { from: 'Thu', days: 4 })).toEqual([
    { day: 'Thu', who: 'Ann', hours: 8 },
    { day: 'Fri', who: 'Bob', hours: 8 },
    { day: 'Sat', who: 'Cy', hours: 4 },
    { day: 'Sun', who: 'Ann', hours: 4 },
  ]);
});
