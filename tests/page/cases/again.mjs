// Running again for one question: where the run that is shown did not record what the answer rests on.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const SHOP = [
  'const fs = require("node:fs");',
  'const cart = { total: 0, lines: [] };',
  'function add(name, price) {',
  '  cart.lines.push(name);',
  '  cart.total += price;',
  '}',
  'add("apple", 1);',
  'add("pear", undefined);',
  'if (fs.existsSync("slow")) setInterval(() => console.log("still here"), 20);',
  'else if (Number.isNaN(cart.total)) throw new Error("no total");',
].join('\n');

/** A run that has recorded no more than the last change of a variable needs. */
function recordLittle(project) {
  project.write('shop.js', SHOP);
  const asked = spawnSync(project.wherefore, ['last-change', 'cart', '--at', 'crash', '--', 'node', 'shop.js'], { cwd: project.folder, encoding: 'utf8' });
  assert.match(asked.stdout, /cart/);
}

const offer = (page) => page.getByRole('button', { name: 'Run it again for this question' });

export const cases = {
  async 'a question that the run cannot answer is answered by running again for it'({ project, person, page }) {
    recordLittle(project);
    await page.goto(await project.open());
    await page.getByRole('button', { name: 'why?' }).click();
    await offer(page).waitFor();
    await person.look('it did not record that');
    await offer(page).click();
    // The answer stands in the chain of the run that was asked, and says which run it is of.
    const cards = page.locator('.card');
    await cards.first().waitFor();
    await person.look('answered by another run');
    await page.locator('.card', { hasText: 'run 2 · shop.js:5' }).first().waitFor();
    await page.locator('.top .facts', { hasText: 'run 1' }).waitFor();
    await page.locator('.card', { hasText: 'run 2 · shop.js:5' }).first().click();
    await page.locator('.top .facts', { hasText: 'run 2' }).waitFor();
    await page.locator('.cm-line', { hasText: 'cart.total += price' }).waitFor();
    await person.look('in that run');
  },

  async 'running again for a question can be stopped'({ project, person, page }) {
    recordLittle(project);
    project.write('slow', '');
    await page.goto(await project.open());
    await page.getByRole('button', { name: 'why?' }).click();
    await offer(page).click();
    const progress = page.locator('.chain .again');
    await progress.getByText('running again: why it failed').waitFor();
    await progress.getByText('still here').waitFor();
    await progress.getByText('recorded is').waitFor();
    await person.look('it runs');
    await progress.getByRole('button', { name: 'Stop' }).click();
    await progress.waitFor({ state: 'detached' });
    await page.locator('.said-problem').waitFor();
    await person.look('stopped');
    assert.equal(await page.locator('.card').count(), 0);
  },

  async 'what is older than what is kept of a run is found by running again'({ project, person, page }) {
    project.write('long.js', [
      'const settings = { rate: 1 };',
      'settings.rate = NaN;',
      'let sum = 0;',
      'for (let i = 0; i < 3_000_000; i++) sum += i % 7;',
      'function check(given) {',
      '  if (Number.isNaN(given.rate)) throw new Error("no rate");',
      '}',
      'check(settings);',
    ].join('\n'));
    const recorded = spawnSync(project.wherefore, ['record', '--keep-last', '2MB', '--', 'node', 'long.js'], { cwd: project.folder, encoding: 'utf8' });
    assert.match(recorded.stderr, /no rate/);
    await person.open(await project.open());
    await page.locator('.cm-current span', { hasText: /^rate$/ }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Last change' }).click();
    await offer(page).waitFor();
    await person.look('older than what is kept');
    await offer(page).click();
    const card = page.locator('.card', { hasText: 'run 2 · long.js:2' });
    await card.filter({ hasText: 'NaN' }).waitFor();
    await person.look('found in another run');
  },
};
