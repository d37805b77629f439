// The suite of tests/page/suite, three of whose tests fail, with an assertion library of the usual kind.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from './project.mjs';

/** Throws in a function that others called: as libraries do, which have flags, messages and formatting of their own. */
const LIBRARY = `
class AssertionError extends Error {
  constructor(message, actual, expected) {
    super(message);
    this.name = 'AssertionError';
    Object.assign(this, { actual, expected });
  }
}
class Claim {
  constructor(value) {
    this.value = value;
    this.flags = { deep: false, negate: false };
  }
  get to() { return this.keep('to'); }
  get be() { return this.keep('be'); }
  keep(word) {
    this.flags[word] = true;
    return this;
  }
  assert(isSo, message, expected) {
    if (this.flags.negate) isSo = !isSo;
    if (isSo) return this;
    throw new AssertionError(message, this.value, expected);
  }
  equal(expected) {
    return this.assert(this.value === expected, \`expected \${shown(this.value)} to equal \${shown(expected)}\`, expected);
  }
}
function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value);
  return String(value);
}
exports.AssertionError = AssertionError;
exports.expect = (value) => new Claim(value);
`;

export function copySuite(folder) {
  fs.cpSync(path.join(checkout, 'tests/page/suite'), folder, { recursive: true });
  fs.mkdirSync(path.join(folder, 'node_modules/claim'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'node_modules/claim/index.js'), LIBRARY);
}
