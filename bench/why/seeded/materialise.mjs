// A seeded defect as a folder that can be run.
import fs from 'node:fs';
import path from 'node:path';
import { copied, installed } from './install.mjs';
import { spliced } from './mutations.mjs';
import { packages } from './packages.mjs';
import { commandOf } from './running.mjs';

// `command` fails in `folder` because of the defect: `wherefore why -- ...command` can be asked there. The folder is the caller's
// to remove.
export function prepared(defect, cache) {
  const { entry, home, folder } = placed(defect, cache, 'defects');
  copied(home, folder);
  brokenIn(folder, defect);
  return { folder, command: commandOf(entry, defect.test) };
}

// The same, of somebody who only uses the package: it is installed below node_modules, and its tests are the project. Nothing if the
// tests are not apart from the package.
export function preparedInstalled(defect, cache) {
  const { entry, home, folder } = placed(defect, cache, 'installed');
  const tests = defect.test.split('/')[0];
  if (tests === defect.test || defect.file.startsWith(`${tests}/`)) return undefined;
  const library = path.join(folder, 'node_modules', entry.name);
  fs.rmSync(folder, { recursive: true, force: true });
  for (const name of modules(path.join(home, 'node_modules'))) {
    if (name === entry.name) continue;
    fs.mkdirSync(path.dirname(path.join(folder, 'node_modules', name)), { recursive: true });
    fs.symlinkSync(path.join(home, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  fs.cpSync(path.join(home, 'package'), library, { recursive: true });
  fs.renameSync(path.join(library, tests), path.join(folder, tests));
  fs.copyFileSync(path.join(library, 'package.json'), path.join(folder, 'package.json'));
  for (const file of fs.readdirSync(path.join(folder, tests), { recursive: true })) {
    if (/\.[cm]?js$/.test(file)) leadTo(path.join(folder, tests, file), folder, library, tests);
  }
  brokenIn(library, defect);
  return { folder, command: commandOf(entry, defect.test) };
}

function placed(defect, cache, kind) {
  const entry = packages.find(({ name }) => name === defect.package);
  const home = installed(entry, cache);
  return { entry, home, folder: path.join(home, kind, `${defect.file.replace(/\W/g, '-')}-${defect.start}-${defect.end}-${defect.kind}`) };
}

function brokenIn(folder, defect) {
  const file = path.join(folder, defect.file);
  fs.writeFileSync(file, spliced(fs.readFileSync(file, 'utf8'), { start: defect.start, end: defect.end, text: defect.replacement }));
}

function modules(folder) {
  return fs.readdirSync(folder).filter((name) => !name.startsWith('.')).flatMap((name) => {
    return name.startsWith('@') ? fs.readdirSync(path.join(folder, name)).map((inner) => `${name}/${inner}`) : [name];
  });
}

// What a test wants from beside its folder is in the library now.
function leadTo(file, folder, library, tests) {
  const text = fs.readFileSync(file, 'utf8');
  const told = text.replace(/((?:require\(|from |import )\s*)(['"])(\.\.?(?:\/[^'"]*)?)\2/g, (all, before, quote, wanted) => {
    const inside = path.relative(folder, path.resolve(path.dirname(file), wanted));
    if (inside === tests || inside.startsWith(`${tests}/`) || inside.startsWith('..')) return all;
    const there = path.relative(path.dirname(file), path.join(library, inside));
    return `${before}${quote}${there}${quote}`;
  });
  if (told !== text) fs.writeFileSync(file, told);
}
