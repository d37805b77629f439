import { UNITS } from './units.js';

export function split(seconds) {
  const parts = [];
  for (const unit of UNITS) {
    const count = Math.floor(seconds / unit.seconds);
    seconds %= unit.seconds;
    if (count) parts.push({ count, unit: unit.name });
  }
  return parts;
}

export const text = (seconds) => split(seconds).map(({ count, unit }) => `${count} ${unit}`).join(' ');
