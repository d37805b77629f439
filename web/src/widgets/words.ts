/** 12,400,000 → 12.4 M */
export function shortNumber(n: number): string {
  if (n < 10_000) return n.toLocaleString('en');
  if (n < 1e6) return `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)} k`;
  if (n < 1e9) return `${(n / 1e6).toFixed(n < 1e8 ? 1 : 0)} M`;
  return `${(n / 1e9).toFixed(1)} G`;
}

export function shortSize(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

export const grouped = (n: number): string => n.toLocaleString('en');

/** `1 write`, `2,000 writes`. */
export const counted = (n: number, what: string): string => `${grouped(n)} ${what}${n === 1 ? '' : 's'}`;

/** `cart.js:14` of a point; the name alone where the path is long. */
export function placeOf(point: { file?: string; line?: number } | undefined): string {
  if (!point?.file) return 'not in a file';
  const name = point.file.split('/').slice(-2).join('/');
  return point.line === undefined ? name : `${name}:${point.line}`;
}
