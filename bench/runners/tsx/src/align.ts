export type Side = 'left' | 'right' | 'middle';

export function align(text: string, width: number, side: Side): string {
  switch (side) {
    case 'left': return text.padEnd(width);
    case 'right': return text.padStart(width - 1);
    case 'middle': {
      const before = Math.floor((width - text.length) / 2);
      return (' '.repeat(before) + text).padEnd(width);
    }
  }
}
