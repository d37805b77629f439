// The installations that cases need, under target/: one after the other, so that they need not all fit on the disk at once.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const FILES = ['package.json', 'package-lock.json'];

// Undefined if it is there; otherwise why not.
export function installed(name, { target }) {
  const folder = path.join(target, name);
  const done = path.join(folder, 'installed');
  const wanted = FILES.map((file) => fs.readFileSync(path.join(here, 'installs', name, file), 'utf8')).join('');
  if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === wanted) return undefined;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const file of FILES) fs.copyFileSync(path.join(here, 'installs', name, file), path.join(folder, file));
  // Scripts of packages would only fetch from elsewhere or compile: what a case needs must come from the registry.
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  // Not `npm ci`: npm 11 writes lock files without the optional dependencies of other machines, and `npm ci` then refuses them.
  const result = spawnSync('npm', ['install', ...flags], { cwd: folder, encoding: 'utf8' });
  if (result.status !== 0) return `${result.stderr}`.trim().split('\n')[0] || `npm ended with ${result.status ?? result.error}`;
  fs.writeFileSync(done, wanted);
  return undefined;
}

export function remove(name, { target }) {
  fs.rmSync(path.join(target, name), { recursive: true, force: true });
}
