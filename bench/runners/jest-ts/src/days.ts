export type Day = 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun';

const WEEK: readonly Day[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

export function after(day: Day, by: number): Day {
  return WEEK[(WEEK.indexOf(day) + by) % 6];
}

export function isWeekend(day: Day): boolean {
  return day === 'Sat' || day === 'Sun';
}
