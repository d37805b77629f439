// One run of a case, all that can be seen of it, and the comparison of such runs.
import fs from 'node:fs';
import path from 'node:path';
import { firstDifference, removeFolder, run, summary, withoutSummary } from '../shared/recorded.mjs';
import { kinds as allKinds, steady, template, unsteady, withoutChangingNumbers } from './steady.mjs';

// Plain and recorded run in the same folder, which is made anew for each: so paths need no care.
export async function observe(c, options, isRecorded) {
  const base = path.join(options.target, c.install);
  const place = path.join(base, 'work', c.name);
  const [project, home, tmp, traces] = ['project', 'home', 'tmp', 'traces'].map((name) => path.join(place, name));
  removeFolder(place);
  for (const folder of [project, home, tmp]) fs.mkdirSync(folder, { recursive: true });
  fs.cpSync(c.from, c.isFolder ? project : path.join(project, path.basename(c.from)), { recursive: true });
  // The recorder's own cache lies in the home of its user: one for all cases.
  const cache = path.join(options.target, 'instrumented');
  for (const folder of [cache, path.join(home, '.cache')]) fs.mkdirSync(folder, { recursive: true });
  fs.symlinkSync(cache, path.join(home, '.cache/wherefore'));
  if (c.alone) fs.symlinkSync(path.join(base, 'node_modules'), path.join(project, 'node_modules'));
  const command = c.run[0] === 'node' ? [options.node, ...c.run.slice(1)] : c.run;
  const bins = [path.join(base, 'node_modules/.bin'), path.dirname(options.node), process.env.PATH].join(path.delimiter);
  const started = Date.now();
  const outcome = await run(isRecorded ? [options.wherefore, 'record', '-o', traces, '--', ...command] : command, {
    cwd: project,
    env: { ...ENVIRONMENT, PATH: bins, HOME: home, TMPDIR: tmp, ...c.env },
    stdin: c.stdin,
    files: ['stdout', 'stderr'].map((name) => path.join(place, name)),
    seconds: isRecorded ? 900 : 300,
    during: c.serves ? (child) => drive(child, path.join(place, 'stdout'), path.join(c.from, 'requests.mjs')) : undefined,
  });
  const seconds = (Date.now() - started) / 1000;
  const files = new Map([...filesOf(project, 'project'), ...filesOf(home, 'home'), ...filesOf(tmp, 'tmp')]);
  const said = isRecorded ? summary(outcome.stderr) : '';
  if (isRecorded) outcome.stderr = withoutSummary(outcome.stderr);
  removeFolder(place);
  const texts = { stdout: outcome.stdout, stderr: outcome.stderr, end: String(outcome.end), replies: String(outcome.during ?? '') };
  return { texts, files, seconds, summary: said };
}

// What two plain runs do not have in common, in words. Files may differ, and are then not compared.
export function isUnstable(plain, again) {
  const kinds = new Set();
  const isStable = (name) => isSame(...withoutChangingNumbers(...[plain, again].map((one) => steady(one.texts[name]).text)), kinds, true);
  const unstable = Object.keys(plain.texts).filter((name) => !isStable(name));
  return unstable.map((name) => `    ${name} differs between two plain runs\n${firstDifference(steady(plain.texts[name]).text, steady(again.texts[name]).text)}`);
}

export function compare(plain, again, recorded) {
  const kinds = new Set();
  const differences = [];
  for (const name of Object.keys(plain.texts)) {
    const [a, b, r] = [plain, again, recorded].map((one) => one.texts[name]);
    const wanted = unsteady(a, b);
    const steadied = [a, b, r].map((text) => steady(text, wanted));
    const [x, y, z] = withoutChangingNumbers(...steadied.map(({ text }) => text));
    if (!isSame(x, z, kinds, x !== y, [])) differences.push(`    ${name}\n${firstDifference(x, z)}`);
    else if (a !== r) {
      steadied.forEach((one) => one.kinds.forEach((kind) => kinds.add(kind)));
      if (x !== steadied[0].text) kinds.add('numbers that always differ');
    }
  }
  const names = namesOf(plain, again, recorded);
  for (const name of new Set(names.flatMap((files) => [...files.keys()]))) {
    const [a, b, r] = [plain, again, recorded].map((one, i) => one.files.get(names[i].get(name)));
    const differ = a === undefined || b === undefined ? a !== b : !isSame(a, b, new Set(), false);
    if (differ) kinds.add('files that always differ');
    else if (a === undefined || r === undefined) differences.push(`    file ${name} is there ${a === undefined ? 'only' : 'but not'} when recorded`);
    else if (!isSame(a, r, kinds, false, unsteady(a, b))) differences.push(`    file ${name}\n${firstDifference(...[a, r].map((text) => steady(text, unsteady(a, b)).text))}`);
  }
  return { differences, kinds };
}

// Of each run, its files by the names under which they can be compared. Where two plain runs have files whose names differ in
// nothing but numbers, the recorded run must have as many such files.
function namesOf(...runs) {
  const steadied = runs.map((one) => new Map([...one.files.keys()].map((name) => [steady(name).text, name])));
  const [plain, again] = steadied;
  const onlyIn = (files, other) => [...files.keys()].filter((name) => !other.has(name)).map(template).sort();
  const changing = onlyIn(plain, again);
  if (changing.join('\n') !== onlyIn(again, plain).join('\n')) return steadied;
  return steadied.map((files) => {
    const renamed = new Map();
    for (const [name, file] of [...files].sort()) {
      const general = template(name);
      const isSteady = !changing.includes(general) || (plain.has(name) && again.has(name));
      let key = isSteady ? name : general;
      for (let n = 2; renamed.has(key); n++) key = `${general} ${n}`;
      renamed.set(key, file);
    }
    return renamed;
  });
}

// Adds what had to be passed over. Lines of several processes come in no fixed order, which two plain runs show.
function isSame(a, b, kinds, maybeUnordered, wanted = allKinds) {
  if (a === b) return true;
  const [x, y] = [steady(a, wanted), steady(b, wanted)];
  const found = [...x.kinds, ...y.kinds];
  if (x.text === y.text) {
    found.forEach((kind) => kinds.add(kind));
    return true;
  }
  const sorted = (text) => text.split('\n').sort().join('\n');
  if (!maybeUnordered || sorted(x.text) !== sorted(y.text)) return false;
  [...found, 'order'].forEach((kind) => kinds.add(kind));
  return true;
}

// Nothing of the machine's own environment, and nothing that asks the network.
const ENVIRONMENT = { LANG: 'C.UTF-8', CI: '1', NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false', NEXT_TELEMETRY_DISABLED: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };

// Each file below the folder, as text: bytes that are none become characters one by one.
function filesOf(folder, shown) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [file, name] = [path.join(folder, entry.name), `${shown}/${entry.name}`];
    if (entry.isSymbolicLink()) return [[name, `link to ${fs.readlinkSync(file)}`]];
    if (entry.isDirectory()) return filesOf(file, name);
    return entry.isFile() ? [[name, fs.readFileSync(file, 'latin1')]] : [[name, 'no plain file']];
  });
}

// Calls the requests of the case with the address that the server printed, and then ends the server.
async function drive(child, stdout, requests) {
  const { default: ask } = await import(requests);
  for (let tries = 0; tries < 3000; tries++) {
    const address = /https?:\/\/\S+/.exec(fs.readFileSync(stdout, 'utf8'))?.[0];
    if (address !== undefined) {
      const replies = await ask(address.replace(/\/$/, '')).catch((error) => `the requests failed: ${error.stack}`);
      child.kill('SIGTERM');
      return replies;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGTERM');
  return 'the server printed no address';
}
