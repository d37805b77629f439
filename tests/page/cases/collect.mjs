// The page of `wherefore collect`: a browser asks the person for the operator key, and then shows the crashes.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { Person } from '../lib/person.mjs';

export const cases = {
  async 'the browser asks for the operator key, and shows the crashes'({ project, person, browser }) {
    const data = path.join(project.folder, 'data');
    const server = spawn(project.wherefore, ['collect', '--listen', '127.0.0.1:0', '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] });
    project.servers.push(server);
    const url = await new Promise((resolve, reject) => {
      let said = '';
      server.stderr.on('data', (part) => {
        said += part;
        const found = /http:\/\/[\d.:]+/.exec(said);
        if (found) resolve(found[0]);
      });
      server.on('close', (code) => reject(new Error(`wherefore collect ended with ${code}: ${said}`)));
    });
    const key = spawnSync(project.wherefore, ['collect', 'key', 'add', 'shop', '--operator', '--data', data], { encoding: 'utf8' }).stdout.trim();
    assert.equal((await fetch(url)).status, 401, 'without a key nothing is shown');
    // What the person types into the dialog of the browser; it opens only for a way to log in that the browser understands.
    const context = await browser.newContext({ httpCredentials: { username: 'me', password: key }, viewport: { width: 1280, height: 800 } });
    const second = await context.newPage();
    const shown = await second.goto(url);
    assert.equal(shown.status(), 200);
    await second.getByRole('heading', { name: 'Crashes of shop' }).waitFor();
    await second.getByText('No crash was reported yet.').waitFor();
    await new Person(second, person.pictures).look('the list of crashes');
    await context.close();
  },
};
