// Where the failure of a test starts, read from what the test printed without us and from its source.
import fs from 'node:fs';
import path from 'node:path';

// The innermost line of the project in the printed stack; where there is none, the lines of the test.
export function expectedStart(folder, bug, output) {
  const failed = output.slice(output.lastIndexOf(' failing'));
  for (const [, file, line] of failed.matchAll(/(?:\(|at )(?:file:\/\/)?([^\s():]+):(\d+):\d+\)?$/gm)) {
    const relative = path.relative(folder, path.resolve(folder, file));
    const isOwn = !relative.startsWith('..') && !relative.includes('node_modules') && fs.existsSync(path.join(folder, relative));
    if (isOwn) return { file: relative, line: Number(line) };
  }
  return linesOfTest(folder, bug);
}

// Whether an answer starts there: at the line, or at that of the statement that goes on to it.
export function isStart(folder, { file, line }, expected) {
  if (!file || path.normalize(file) !== expected.file) return false;
  if (expected.end) return expected.line <= line && line <= expected.end;
  const lines = fs.readFileSync(path.join(folder, expected.file), 'utf8').split('\n');
  return line <= expected.line && lines.slice(line - 1, expected.line - 1).every((text) => !/[;{}]\s*$/.test(text));
}

// From the line with the title of the test to the one that closes it.
function linesOfTest(folder, { test }) {
  const title = test[test.indexOf('--grep') + 1].replace(/^\^|\$$/g, '').replace(/\\(.)/g, '$1').split(' ');
  const files = fs.readdirSync(folder, { recursive: true }).filter((file) => /^(?:test|spec)/.test(file) && /\.(?:js|coffee)$/.test(file));
  for (let from = 0; from < title.length; from++) {
    const wanted = title.slice(from).join(' ');
    for (const file of files) {
      const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n');
      const start = lines.findIndex((line) => /\b(?:it|test)\b/.test(line) && (line.includes(`'${wanted}'`) || line.includes(`"${wanted}"`)));
      if (start < 0) continue;
      const indent = lines[start].match(/^\s*/)[0];
      const length = lines.slice(start + 1).findIndex((line) => line.startsWith(`${indent}}`));
      return { file, line: start + 1, end: start + 2 + length };
    }
  }
  return { file: '?', line: 0 };
}
