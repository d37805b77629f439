// For everybody: what axe finds, both themes, 200 %, keys alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { eventually } from '../lib/person.mjs';
import { checkout } from '../lib/project.mjs';

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function shop({ project, person }) {
  for (const name of fs.readdirSync(path.join(checkout, 'examples/shop'))) {
    if (name.endsWith('.js')) project.write(name, fs.readFileSync(path.join(checkout, 'examples/shop', name), 'utf8'));
  }
  // Two runs: what is shown for others is shown then, too.
  project.record('node', 'shop.js');
  project.record('node', 'shop.js');
  await person.open(await project.open());
}

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((one) => `${one.id}: ${one.help}\n${one.nodes.slice(0, 4).map((node) => `    ${node.html.slice(0, 160)}\n    ${node.failureSummary}`).join('\n')}`);
}

export const cases = {
  async 'axe finds nothing, in both themes and on every tab'({ project, person, page }) {
    await shop({ project, person });
    await page.keyboard.press('Shift+W');
    await page.locator('.card').nth(4).waitFor();
    await person.look('explained, dark');
    for (const theme of ['dark', 'light']) {
      for (const tab of ['calls', 'judge', 'events', 'history', 'output', 'crash path', 'runs', 'compare', 'log', 'failures']) {
        await person.tab(new RegExp(`^${tab}`));
        if (tab === 'judge' && theme === 'dark') {
          await page.getByRole('button', { name: 'Begin' }).click();
          await page.locator('.effects').waitFor();
        }
        if (tab === 'compare') await page.getByRole('combobox', { name: /compare run/ }).selectOption('1');
        if (tab === 'log') {
          await page.getByLabel('line', { exact: true }).fill('shop.js:17');
          await page.getByLabel('expressions').fill('total');
          await page.getByLabel('expressions').press('Enter');
          await page.locator('[aria-label="log"] .row').first().waitFor();
        }
        // What a tab shows comes a moment later, and is to be looked at too.
        await page.waitForTimeout(150);
        await person.look(`${theme}, ${tab}`);
        await eventually(async () => {
          const found = await violations(page);
          assert.deepEqual(found, [], `${theme}, ${tab}:\n${found.join('\n')}`);
        });
      }
      await page.getByRole('button', { name: /theme/ }).click();
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('price');
    await page.locator('.hit').first().waitFor();
    await person.look('search');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'keys' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'more about card 1', exact: true }).click();
    await page.getByRole('menu').waitFor();
    assert.deepEqual(await violations(page), [], 'a menu');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 500, height: 800 });
    await person.tab('runs');
    await person.look('narrow');
    assert.deepEqual(await violations(page), [], 'a narrow window');
  },

  async 'readable at 200 %'({ project, person, page }) {
    await page.setViewportSize({ width: 640, height: 450 });
    await shop({ project, person });
    await page.keyboard.press('Shift+W');
    await page.locator('.card').nth(2).waitFor();
    await person.look('at 200 %');
    await eventually(async () => {
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
      assert.equal(isWide, false, 'nothing is cut off at the side');
    });
    await page.locator('.card').first().scrollIntoViewIfNeeded();
    await person.look('at 200 %, the chain');
  },

  async 'keys alone, and back and forward'({ project, person, page }) {
    await shop({ project, person });
    await person.isAt(17, 'throw new Error');
    const where = page.locator('.steps .at');
    const before = await where.textContent();
    await page.keyboard.press('Shift+F10');
    // To the start of the statement that failed, and then to the one before it.
    await where.filter({ hasNotText: before }).waitFor();
    await page.keyboard.press('Shift+F10');
    await person.isAt(16, 'const total');
    await page.keyboard.press('F10');
    await person.isAt(17, 'total !== 43');
    await page.goBack();
    await person.isAt(16, 'const total');
    await page.goForward();
    await person.isAt(17, 'total !== 43');
    // Keys that come faster than their answers are steps all the same.
    const [start, first] = [page.url(), await where.textContent()];
    for (let n = 0; n < 5; n++) await person.moves(() => page.keyboard.press('Shift+F11'));
    const fiveBack = await where.textContent();
    await page.goto(start);
    await where.filter({ hasText: first }).waitFor();
    await page.route('**/api/ask', async (route) => {
      if (route.request().postData().includes('"step"')) await page.waitForTimeout(200);
      await route.continue();
    });
    for (let n = 0; n < 5; n++) await page.keyboard.press('Shift+F11');
    await where.filter({ hasText: fiveBack }).waitFor();
    await page.unroute('**/api/ask');
    await page.goto(start);
    await where.filter({ hasText: first }).waitFor();
    await page.locator('[aria-label="variables"]').focus();
    const rows = page.locator('.values [role=treeitem]');
    for (let n = 0; n < 20 && !(await rows.and(page.locator('[aria-selected=true]')).textContent()).startsWith('total'); n++) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('a');
    await page.getByRole('menuitem', { name: 'Last change' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.card-last-change').waitFor();
    await page.keyboard.press('4');
    await page.locator('#tab-history[aria-selected=true]').waitFor();
    const address = page.url();
    await page.goto(address);
    await page.locator('.cm-current').first().waitFor();
    await page.locator('.card-last-change').waitFor();
  },
};
