// A package under the cache: `NAME/package` as it was published, `NAME/node_modules` beside it with what it and its tests need.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { shared } from './packages.mjs';

// Ranges in the packages' own package.json are resolved as on this day, so that a later installation is the same.
const AS_OF = '2026-11-01';

export function installed(entry, cache) {
  const home = path.join(cache, entry.name.replace('/', '+'));
  if (fs.existsSync(path.join(home, 'done'))) return home;
  const frameworks = installedShared(cache);
  fs.rmSync(home, { recursive: true, force: true });
  fs.mkdirSync(home, { recursive: true });
  unpack(entry, home);
  const own = JSON.parse(fs.readFileSync(path.join(home, 'package/package.json'), 'utf8'));
  install(home, { ...own.dependencies, ...Object.fromEntries(Object.entries(entry.needs ?? {}).filter(([name, version]) => shared[name] !== version)) });
  link(frameworks, home);
  fs.writeFileSync(path.join(home, 'done'), '');
  return home;
}

// What most tests need, once for all packages.
export function installedShared(cache) {
  const home = path.join(cache, '.shared');
  if (fs.existsSync(path.join(home, 'done'))) return home;
  fs.mkdirSync(home, { recursive: true });
  install(home, shared);
  fs.writeFileSync(path.join(home, 'done'), '');
  return home;
}

// The package itself must not lie below a folder named node_modules: it is the project.
export function copied(home, folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.cpSync(path.join(home, 'package'), folder, { recursive: true });
  fs.symlinkSync(path.join(home, 'node_modules'), path.join(folder, 'node_modules'));
}

function unpack({ name, version }, home) {
  const tarball = npm(home, 'pack', `${name}@${version}`, '--silent').trim().split('\n').at(-1);
  execFileSync('tar', ['xzf', tarball, '--one-top-level=package', '--strip-components=1'], { cwd: home });
  fs.rmSync(path.join(home, tarball));
  fs.rmSync(path.join(home, 'package/node_modules'), { recursive: true, force: true });
}

function install(home, dependencies) {
  fs.mkdirSync(path.join(home, 'node_modules'), { recursive: true });
  if (Object.keys(dependencies).length === 0) return;
  fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify({ private: true, dependencies }));
  npm(home, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps', '--prefer-offline', '--before', AS_OF);
  // The folder above the copies must say nothing about how their files are read.
  fs.rmSync(path.join(home, 'package.json'));
}

function link(frameworks, home) {
  for (const name of Object.keys(shared)) {
    const place = path.join(home, 'node_modules', name);
    if (!fs.existsSync(place)) fs.symlinkSync(path.join(frameworks, 'node_modules', name), place);
  }
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
