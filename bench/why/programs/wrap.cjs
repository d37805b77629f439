// Paragraphs broken into lines, with hanging indents and both sides flush.
const assert = require('node:assert');

function words(text) {
  return text.split(' ').filter((word) => word !== '');
}

function breakLines(list, width, indent) {
  const lines = [];
  let line = [];
  let length = 0;
  for (const word of list) {
    const room = lines.length === 0 ? width : width - indent;
    if (line.length > 0 && length + 1 + word.length > room) {
      lines.push(line);
      line = [];
      length = 0;
    }
    length += word.length + (line.length > 0 ? 1 : 0);
    line.push(word);
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

function flush(line, width) {
  const gaps = line.length - 1;
  if (gaps === 0) return line[0];
  const letters = line.reduce((sum, word) => sum + word.length, 0);
  const spaces = width - letters;
  let out = line[0];
  for (let i = 0; i < gaps; i++) {
    const before = Math.floor((spaces * (i + 1)) / gaps) - Math.floor((spaces * i) / gaps);
    out += ' '.repeat(before) + line[i + 1];
  }
  return out;
}

function wrap(text, { width, indent = 0 }) {
  const lines = breakLines(words(text), width, indent);
  return lines.map((line, i) => {
    const room = i === 0 ? width : width - indent;
    const margin = i === 0 ? '' : ' '.repeat(indent);
    const isLast = i === lines.length - 1;
    return margin + (isLast ? line.join(' ') : flush(line, room));
  });
}

function longest(lines) {
  let most = 0;
  for (const line of lines) if (line.length > most) most = line.length;
  return most;
}

// checks
const text = 'a  debugger that answers questions about an execution and is not tired of them';
const lines = wrap(text, { width: 24, indent: 2 });
assert.strictEqual(lines.length, 4);
assert.strictEqual(longest(lines), 24);
assert.strictEqual(lines.join('|'), 'a debugger that  answers|  questions   about   an|  execution and  is  not|  tired of them');
