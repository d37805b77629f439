// node nvim.mjs --plugin DIR [--wherefore BIN]
// Neovim with nvim-dap, a checkout of which is named, against `wherefore dap`. For a person to run: neither is installed by the tests.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { removeFolder } from '../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const checkout = path.join(here, '../..');
const { values: options } = parseArgs({ options: {
  plugin: { type: 'string' },
  wherefore: { type: 'string', default: path.join(checkout, 'target/release/wherefore') },
} });
if (!options.plugin) throw new Error('--plugin names a checkout of nvim-dap');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-nvim-'));
fs.cpSync(path.join(checkout, 'examples/shop'), folder, { recursive: true, filter: (file) => !file.includes('.wherefore') });
const script = path.join(here, 'nvim.lua');
const env = { ...process.env, PLUGIN: path.resolve(options.plugin), WHEREFORE: path.resolve(options.wherefore) };
const { status } = spawnSync('nvim', ['--headless', '-u', 'NONE', '-c', `luafile ${script}`], { cwd: folder, env, stdio: 'inherit', timeout: 120_000 });
removeFolder(folder);
process.exit(status ?? 1);
