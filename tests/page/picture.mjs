// node picture.mjs [--wherefore BIN] [--out docs/images/page.png]
// The picture of the README: the page at a failing test of tests/page/suite, recorded under `npm test`.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from './lib/browser.mjs';
import { Person } from './lib/person.mjs';
import { Project, checkout } from './lib/project.mjs';
import { copySuite } from './lib/suite.mjs';

const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(checkout, 'target/release/wherefore') },
  out: { type: 'string', default: path.join(checkout, 'docs/images/page.png') },
} });
const project = new Project(path.resolve(options.wherefore));
const browser = await launch();
try {
  copySuite(project.folder);
  project.record('npm', 'test');
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const person = new Person(page, project.folder);
  await person.open(await project.open());
  await person.tab(/failures/);
  await page.locator('[aria-label="failures"] .row').nth(1).click();
  await page.locator('.card', { hasText: 'undefined → -180' }).first().locator('.card-main').click();
  await page.locator('.steps .at', { hasText: 'src/zone.js' }).waitFor();
  await page.getByRole('button', { name: 'only my code' }).first().click();
  await page.locator('.values [role=treeitem]', { hasText: 'offset' }).first().waitFor();
  await page.waitForTimeout(500);
  fs.mkdirSync(path.dirname(options.out), { recursive: true });
  await page.screenshot({ path: options.out });
  console.log(`${options.out}: ${Math.round(fs.statSync(options.out).size / 1000)} kB`);
} finally {
  await browser.close();
  project.remove();
}
