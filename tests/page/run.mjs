// node run.mjs [--wherefore BIN] [--only NAME] [--pictures DIR]
// The page in a real Chromium: the examples of the papers by mouse and keyboard alone, who may ask, what is read aloud, bad input.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from './lib/browser.mjs';
import { Person } from './lib/person.mjs';
import { Project, checkout } from './lib/project.mjs';

const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(checkout, 'target/release/wherefore') },
  only: { type: 'string', default: '' },
  pictures: { type: 'string', default: path.join(checkout, 'target/page') },
} });
const folder = path.join(checkout, 'tests/page/cases');
const browser = await launch();
let n_failed = 0;
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.mjs')).sort()) {
  const { cases } = await import(path.join(folder, file));
  for (const [name, run] of Object.entries(cases)) {
    if (!`${file} ${name}`.includes(options.only)) continue;
    const project = new Project(path.resolve(options.wherefore));
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const person = new Person(page, path.join(options.pictures, name.replaceAll(/\W+/g, '-')));
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!/^(http:\/\/127\.0\.0\.1:|http:\/\/localhost:|data:|blob:)/.test(request.url())) problems.push(`asked ${request.url()}`);
    });
    const started = Date.now();
    try {
      await run({ project, person, page, context, browser });
      if (problems.length) throw new Error(problems.join('\n'));
      console.log(`passed  ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      n_failed++;
      await person.look('failed').catch(() => {});
      console.log(`FAILED  ${name}: ${error.stack}\n${problems.join('\n')}`);
    } finally {
      await context.close();
      project.remove();
    }
  }
}
await browser.close();
process.exit(n_failed ? 1 : 0);
