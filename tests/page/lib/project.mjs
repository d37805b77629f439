// A project with a run, and the page of it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../../shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
export const checkout = path.join(here, '../../..');

export class Project {
  constructor(wherefore) {
    this.wherefore = wherefore;
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-page-'));
    this.servers = [];
  }

  write(name, text) {
    fs.writeFileSync(path.join(this.folder, name), text);
  }

  /** Records a command to its end. */
  record(...command) {
    const recorded = spawnSync(this.wherefore, ['record', '--', ...command], { cwd: this.folder, encoding: 'utf8' });
    if (recorded.error) throw recorded.error;
    return recorded;
  }

  /** Asks a question with a command, which records what the question needs. */
  asked(...question) {
    const asked = spawnSync(this.wherefore, question, { cwd: this.folder, encoding: 'utf8' });
    if (asked.error) throw asked.error;
    return asked;
  }

  /** The address of a page of its latest run, or of another. */
  async open(...args) {
    const server = spawn(this.wherefore, ['open', '--no-browser', ...args], { cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    this.servers.push(server);
    let said = '';
    server.stderr.on('data', (data) => (said += data));
    return await new Promise((resolve, reject) => {
      let text = '';
      server.stdout.on('data', (data) => {
        text += data;
        if (text.includes('\n')) resolve(text.trim());
      });
      server.on('close', (code) => reject(new Error(`wherefore open ended with ${code}: ${said}`)));
    });
  }

  remove() {
    for (const server of this.servers) server.kill();
    removeFolder(this.folder);
  }
}

/** The first program under a heading of a file of `specs/`. */
export function example(file, heading) {
  const text = fs.readFileSync(path.join(checkout, 'specs', file), 'utf8');
  const start = text.indexOf(`## ${heading}`);
  const program = /```js\n([\s\S]*?)```/.exec(text.slice(start));
  if (start < 0 || !program) throw new Error(`specs/${file} has no example ${heading}`);
  return program[1];
}
