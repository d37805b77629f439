// Where two texts differ.

export interface Part {
  text: string;
  differs: boolean;
}

/** Both texts in parts: what they have in common at the start and at the end, and what differs between. Words stay whole. */
export function differing(one: string, other: string): [Part[], Part[]] {
  const [a, b] = [words(one), words(other)];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const parts = (of: string[]): Part[] =>
    [
      { text: of.slice(0, start).join(''), differs: false },
      { text: of.slice(start, of.length - end).join(''), differs: true },
      { text: of.slice(of.length - end).join(''), differs: false },
    ].filter((part) => part.text !== '');
  return [parts(a), parts(b)];
}

const words = (text: string): string[] => text.match(/[\w$.-]+|\s+|[^]/gu) ?? [];

/** Numbers of objects are those of a run: the same object has another one there. */
export const comparable = (text: string): string => text.replaceAll(/#\d+/g, '#');
