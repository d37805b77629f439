// The bugs of bugs/ and bugs-unseen/, ready to be run.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

// The folder of a copy of the bug with its packages, made once.
export function installed(set, name, cache) {
  const folder = path.join(cache, set, name);
  fs.mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'repro.cjs']) fs.copyFileSync(path.join(here, set, name, file), path.join(folder, file));
  if (fs.existsSync(path.join(folder, 'node_modules/.package-lock.json'))) return folder;
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install of ${name}: ${stderr}`);
  return folder;
}
