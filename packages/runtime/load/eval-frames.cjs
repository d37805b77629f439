// The two frames of Node itself that a stack trace of `node -e` shows between the text and its wrapper, and that are not there
// when we run the text. Node's own source says where they are.
'use strict';
const { indexOf, slice, split } = load('load/primordials.cjs');

// As the methods of a call site would answer, innermost first; none where this Node's source looks different.
function framesOfEval() {
  try {
    const natives = process.binding('natives');
    const inner = place(natives['internal/vm'], 'function runScriptInThisContext(', 'return ');
    const outer = place(natives['internal/process/execution'], '`${name}-wrapper`', 'return runScriptInThisContext(');
    return [
      frame('node:internal/vm', inner, 'runScriptInThisContext'),
      frame('node:internal/process/execution', outer, null),
    ];
  } catch {
    return [];
  }
}

module.exports = { framesOfEval };

// Line and column of what is returned, at its first time behind `landmark`.
function place(source, landmark, statement) {
  const start = indexOf(source, statement, indexOf(source, landmark)) + 'return '.length;
  if (start < landmark.length) throw new Error('another source');
  const lines = split(slice(source, 0, start), '\n');
  return { line: lines.length, column: lines[lines.length - 1].length + 1 };
}

function frame(file, { line, column }, name) {
  const where = `${file}:${line}:${column}`;
  return {
    __proto__: null,
    toString: name === null ? where : `${name} (${where})`,
    getFileName: file,
    getScriptNameOrSourceURL: file,
    getLineNumber: line,
    getColumnNumber: column,
    getFunctionName: name,
  };
}
