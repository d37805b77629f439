// The failing tests of bugs.json, and where their trees are.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

export const bugs = JSON.parse(fs.readFileSync(path.join(here, 'bugs.json'), 'utf8'));

// A third of them is not looked at while rules are written: those whose names have the smallest hashes.
const hash = ({ id }) => createHash('sha256').update(id).digest('hex');
const unseen = new Set([...bugs].sort((a, b) => (hash(a) < hash(b) ? -1 : 1)).slice(0, 9));

export const isUnseen = (bug) => unseen.has(bug);

// The folder in which the test of a bug fails, if it was prepared.
export function treeOf({ id }, trees) {
  if (trees === undefined) throw new Error('say with --trees where the trees are; bench/suites/README.md says what they must hold');
  const folder = path.resolve(trees, id);
  return fs.existsSync(path.join(folder, 'package.json')) ? folder : undefined;
}
