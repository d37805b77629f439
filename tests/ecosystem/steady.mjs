// What differs from one plain run to the next: times, process ids, ports, chance. The rules say it by its kind, for any program; each
// replaces what it finds by its name. A rule that nothing but one program needs does not belong here.
const COLOUR = String.raw`\x1b\[[\d;]*m`;
// A number; the m of a colour is no minute.
const NUMBER = String.raw`(?<!\x1b\[[\d;]*)\d+(?:[.,]\d+)?`;
const UNITS = String.raw`(?:${COLOUR})*(?:ms|milliseconds?|s|secs?|seconds?|m|min|minutes?|µs|μs|ns)`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';

export const rules = [
  // Many runners print how long something took only where that was long.
  ['duration', new RegExp(String.raw` ?[([]~?${NUMBER} ?${UNITS}[)\]]`, 'g'), ''],
  ['duration', new RegExp(String.raw`(?:(?<![\w.#-])|(?<=${COLOUR}))~?${NUMBER} ?${UNITS}(?: ${NUMBER} ?${UNITS})*(?![\w-])`, 'g'), 'DURATION'],
  ['duration', new RegExp(String.raw`((?:duration|time|elapsed|took|heap)\w*["']?[ :=]+)["']?${NUMBER}(?:e-?\d+)?["']?`, 'gi'), '$1DURATION'],
  // In tables they stand at the right edge.
  ['duration', / {2,}DURATION/g, ' DURATION'],
  ['date', /\d{4}-\d\d-\d\d[T _]\d\d[:_-]\d\d(?:[:_-]\d\d)?(?:[.,_-]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, 'DATE'],
  ['date', new RegExp(String.raw`(?:\w{3},? )?(?:\d{1,2}[ /-]${MONTH}|${MONTH} \d{1,2})[ /-]\d{4}[ :]\d\d:\d\d:\d\d(?: ?(?:GMT|UTC))?(?: ?[+-]\d{4})?(?: \([A-Z]\w[\w ]*\))?`, 'g'), 'DATE'],
  ['date', /(?<![\d:.])\d{1,2}:\d\d:\d\d(?:\.\d+)?(?: [AP]M)?(?![\d:])/g, 'DATE'],
  // Milliseconds since 1970, with a fraction perhaps.
  ['date', /(?<![\w.])1[789]\d{11}(?:\.\d+)?(?![\w.])/g, 'DATE'],
  ['process', /(\(node:|\bpid["']?[ :=]*)\d+/gi, '$1PID'],
  ['port', /((?:localhost|127\.0\.0\.1|\[::1?\]|0\.0\.0\.0|\bport["']?)(?::| |: ?|=))\d{4,5}\b/gi, '$1PORT'],
  ['chance', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID'],
];

export const kinds = [...new Set(rules.map(([kind]) => kind))];

// The text with the rules of such kinds applied, and the kinds of those that found something.
export function steady(text, wanted = kinds) {
  const found = new Set();
  for (const [kind, pattern, by] of rules) {
    if (!wanted.includes(kind)) continue;
    text = text.replace(pattern, (...match) => {
      found.add(kind);
      return by.replaceAll('$1', () => match[1] ?? '');
    });
  }
  return { text, kinds: found };
}

// The kinds that two plain runs differ in, and the clock, which always goes on. What they have in common must be so when recorded.
export function unsteady(a, b) {
  if (a === b) return CLOCK;
  const sorted = (text) => text.split('\n').sort().join('\n');
  const differ = (without) => {
    const rest = kinds.filter((kind) => kind !== without);
    const [x, y] = withoutChangingNumbers(steady(a, rest).text, steady(b, rest).text);
    return sorted(x) !== sorted(y);
  };
  return kinds.filter((kind) => CLOCK.includes(kind) || differ(kind));
}

const CLOCK = ['date', 'duration'];

// The texts of two plain runs and of others, without the numbers in which the two plain ones differ (a process id, for example).
// Nothing is left out where more than numbers differ.
export function withoutChangingNumbers(a, b, ...others) {
  const texts = [a, b, ...others].map((text) => text.split('\n'));
  if (texts.some((lines) => lines.length !== texts[0].length)) return [a, b, ...others];
  const pieces = texts.map((lines) => lines.map((line) => line.split(/(\d+)/)));
  pieces[0].forEach((first, i) => {
    const lines = pieces.map((of) => of[i]);
    // Every second piece is a number.
    const isAlike = lines.every((line) => line.length === first.length && line.every((piece, n) => n % 2 === 1 || piece === first[n]));
    if (!isAlike) return;
    first.forEach((piece, n) => {
      if (piece !== lines[1][n]) lines.forEach((line) => (line[n] = 'NUMBER'));
    });
  });
  return pieces.map((lines) => lines.map((line) => line.join('')).join('\n'));
}

// A name without what chance, the clock or the process gave it. Caches have folders that are called as the hashes in them begin.
export function template(name) {
  return name.replace(/(?<=\/)([0-9a-f]{1,4})(?=\/[^/]*?\1[0-9a-f]{12,})/g, 'HEX').replace(/[0-9a-f]{16,}/g, (hash) => (/[a-f]/.test(hash) ? 'HEX' : 'N')).replace(/\d+/g, 'N');
}
