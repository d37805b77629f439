import { after, isWeekend, type Day } from './days';
import { inTurn } from './people';

export interface Shift {
  day: Day;
  who: string;
  hours: number;
}

interface Options {
  from: Day;
  days: number;
}

export function plan(people: string[], { from, days }: Options): Shift[] {
  const turn = inTurn(people);
  const shifts: Shift[] = [];
  for (let n = 0; n < days; n++) {
    const day = after(from, n);
    shifts.push({ day, who: turn.next(), hours: isWeekend(day) ? 4 : 8 });
  }
  return shifts;
}

export const hoursOf = (shifts: Shift[], who: string): number =>
  shifts.filter((shift) => shift.who === who).reduce((sum, shift) => sum + shift.hours, 0);
