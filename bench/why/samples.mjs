// What `why` could tell of each failure whose cause is known, and which of it is the cause: what the ranking is fitted on.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { installed } from '../bugs.mjs';
import { removeFolder } from '../../tests/shared/recorded.mjs';
import { prepared, preparedInstalled } from './seeded/materialise.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);
// What is missing is missing beside a line.
const NEAR = 1;
const NEAR_OF_BUGS = 2;
// Each so many seeded defects, one is also tried as a defect of an installed package, without other tests beside.
const INSTALLED_EACH = 3;

// `package` is what is left out together. Recordings and candidates are kept under the cache: only what is new, or was told by another
// build of `candidates`, is done again.
export async function samples({ wherefore, candidates, cache, most, jobs }) {
  const build = String(fs.statSync(candidates).mtimeMs);
  const file = path.join(cache, 'candidates.json');
  const kept = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  const known = new Map(kept.build === build ? kept.samples : []);
  const queue = [...ofBugs(path.dirname(cache)), ...ofSeeds(cache, most)];
  const wanted = queue.map(({ key }) => key);
  let n = 0;
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      if (!known.has(task.key)) known.set(task.key, await sampled(task, { wherefore, candidates, cache }));
      if (++n % 50 === 0) fs.writeFileSync(file, JSON.stringify({ build, samples: [...known] }));
    }
  }));
  fs.writeFileSync(file, JSON.stringify({ build, samples: [...known] }));
  return wanted.map((key) => known.get(key));
}

// What an earlier run has collected.
export function kept(cache) {
  return JSON.parse(fs.readFileSync(path.join(cache, 'candidates.json'), 'utf8')).samples.map(([, sample]) => sample);
}

function ofBugs(cache) {
  return ['bugs', 'bugs-unseen'].flatMap((set) => fs.readdirSync(path.join(here, '..', set)).sort().map((name) => {
    const { cause } = JSON.parse(fs.readFileSync(path.join(here, '..', set, name, 'TRUTH.json'), 'utf8'));
    const command = ['node', '--no-deprecation', 'repro.cjs'];
    return { key: `${set} ${name}`, package: name, form: set, kind: 'bug', cause, near: NEAR_OF_BUGS, prepare: () => ({ folder: installed(set, name, cache), command, isKept: true }) };
  }));
}

// In turns, so that a part of them is of all packages.
function ofSeeds(cache, most) {
  const defects = JSON.parse(fs.readFileSync(path.join(here, 'seeded/defects.json'), 'utf8'));
  const turns = new Map();
  const turnOf = ({ package: name }) => turns.set(name, (turns.get(name) ?? 0) + 1).get(name);
  const inTurns = defects.map((defect) => [turnOf(defect), defect]).sort(([one], [other]) => one - other).map(([, defect]) => defect);
  return inTurns.slice(0, most).flatMap((defect, number) => {
    const task = { package: defect.package, kind: defect.kind, cause: { file: defect.file, line: defect.line }, near: NEAR };
    const key = [defect.package, defect.file, defect.start, defect.replacement].join(' ');
    const own = { ...task, key, form: 'own', prepare: () => prepared(defect, cache) };
    const alone = { ...task, key: `${key} installed`, form: 'installed', alone: true, prepare: () => preparedInstalled(defect, cache) };
    return number % INSTALLED_EACH === 0 ? [own, alone] : [own];
  });
}

async function sampled({ key, package: name, form, kind, cause, near, alone, prepare }, { wherefore, candidates, cache }) {
  const recording = path.join(cache, 'runs', key.replace(/[^\w.@-]+/g, '_').slice(0, 120) + (alone ? '-installed' : ''));
  const sample = { package: name, form, kind, hops: [] };
  try {
    if (!fs.existsSync(recording) && !(await record(prepare, wherefore, recording))) return sample;
    const { stdout } = await run(candidates, alone ? [recording, '--alone'] : [recording], { timeout: 60_000, maxBuffer: 1 << 28 });
    const isNear = (place, near) => {
      const [, file, line] = /^(.*):(\d+)$/.exec(place);
      return file.endsWith(`/${cause.file}`) && Math.abs(Number(line) - cause.line) <= near;
    };
    sample.hops = stdout.split('\n').filter(Boolean).map((line) => {
      const [told, ...features] = line.split('\t');
      const places = told.split('|').filter(Boolean);
      const [isCause, isDefect] = [near, 0].map((lines) => places.some((place) => isNear(place, lines)));
      return { isCause, isDefect, places: told, features: features.map(Number) };
    });
  } catch (error) {
    console.error(`${key}: ${error.message.split('\n')[0]}`);
  }
  return sample;
}

async function record(prepare, wherefore, recording) {
  const project = prepare();
  if (project === undefined) return false;
  fs.mkdirSync(path.dirname(recording), { recursive: true });
  await run(wherefore, ['record', '-o', recording, '--', ...project.command], { cwd: project.folder, timeout: 60_000, maxBuffer: 1 << 28 }).catch(() => {});
  if (!project.isKept) removeFolder(project.folder);
  return fs.existsSync(recording);
}
