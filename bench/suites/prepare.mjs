// The trees of the bugs of bugs.json, with their packages: checked out of mirrors of their repositories, made once.
import { spawnSync } from 'node:child_process';
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

// The folder with the tree in which the test fails. `mirrors` holds OWNER+NAME/repo, bare or not.
export function prepared(bug, { mirrors, cache }) {
  const folder = path.join(path.resolve(cache), bug.id);
  const mark = path.join(folder, '.ready');
  const stamp = JSON.stringify([bug.repo, bug.buggy, bug.install]);
  const tree = path.join(folder, 'buggy');
  if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === stamp) return tree;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(tree, { recursive: true });
  const archive = path.join(folder, 'tree.tar');
  done(spawnSync('git', ['-C', gitFolder(mirrors, bug.repo), 'archive', '--format=tar', '-o', archive, bug.buggy], { encoding: 'utf8' }), bug);
  done(spawnSync('tar', ['-xf', archive, '-C', tree], { encoding: 'utf8' }), bug);
  fs.rmSync(archive);
  done(spawnSync(bug.install, { shell: true, cwd: tree, encoding: 'utf8', timeout: 600_000, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 }), bug);
  fs.writeFileSync(mark, stamp);
  return tree;
}

function gitFolder(mirrors, repo) {
  const base = path.join(mirrors ?? '', repo.replace('/', '+'));
  const candidates = [path.join(base, 'repo/.git'), path.join(base, 'repo'), path.join(base, '.git'), base];
  const found = mirrors && candidates.find((folder) => fs.existsSync(path.join(folder, 'HEAD')));
  if (!found) throw new Error(`there is no mirror of ${repo}: say where they are with --mirrors`);
  return found;
}

function done({ status, signal, stderr, error }, { id }) {
  if (status !== 0) throw new Error(`${id}: ${error?.message ?? `exit ${status ?? signal}: ${stderr.trim().split('\n').at(-1)}`}`);
}
