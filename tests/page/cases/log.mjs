// Print statements after the fact, times, and only the project's own code.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { eventually } from '../lib/person.mjs';

const SHOP = [
  "const { each } = require('hands-on');",
  'const offers = { A: 10 };',
  "const lines = [{ price: 20, code: 'A' }, { price: 5 }, { price: 8, code: 'A' }];",
  'let total = 0;',
  'function reduced(line) {',
  '  const percent = offers[line.code];',
  '  return line.price * (1 - percent / 100);',
  '}',
  'each(lines, (line) => {',
  '  total += reduced(line);',
  '});',
  'setTimeout(() => {',
  '  throw new Error("total is " + total);',
  '}, 300);',
].join('\n');

const SUM = [
  'let total = 0;',
  'function half(n) {',
  '  const rest = n % 2;',
  '  return (n - rest) / 2;',
  '}',
  'for (const n of [2, 5, 6]) {',
  '  total += half(n);',
  '}',
  'throw new Error("total is " + total);',
].join('\n');

async function shop({ project, person }) {
  fs.mkdirSync(path.join(project.folder, 'node_modules/hands-on'), { recursive: true });
  project.write('node_modules/hands-on/index.js', 'exports.each = (list, act) => {\n  for (const one of list) handOn(one, act);\n};\nfunction handOn(one, act) {\n  act(one);\n}\n');
  project.write('shop.js', SHOP);
  project.record('node', 'shop.js');
  await person.open(await project.open());
}

const rows = (page, label) => page.locator(`[aria-label="${label}"] .row`);

export const cases = {
  async 'an expression is typed at a line, all its hits are listed, and one is gone to'({ project, person, page }) {
    await shop({ project, person });
    await page.locator('.cm-line', { hasText: 'return line.price' }).click({ button: 'right', position: { x: 4, y: 6 } });
    await page.getByRole('menuitem', { name: /Log .*at every hit of this line/ }).click();
    const what = page.getByLabel('expressions');
    await what.fill('line.price, percent');
    await what.press('Enter');
    await rows(page, 'log').nth(2).waitFor();
    await eventually(async () => {
      const texts = await rows(page, 'log').allInnerTexts();
      assert.equal(texts.length, 3);
      for (const [at, [price, percent]] of [['20', '10'], ['5', 'undefined'], ['8', '10']].entries()) {
        assert.match(texts[at], new RegExp(`#${at + 1}\\b[^]*\\bms\\b[^]*${price}[^]*${percent}`));
      }
    });
    await person.look('three hits');
    await rows(page, 'log').nth(1).click();
    await person.isAt(7, 'return line.price');
    const price = await person.value('line', 'price');
    await price.filter({ hasText: '5' }).waitFor();
    await page.getByLabel('condition').fill('line.price > 5');
    await page.getByLabel('condition').press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('[aria-label="log"] .row').length === 2);
    await page.goBack();
    await page.waitForFunction(() => document.querySelectorAll('[aria-label="log"] .row').length === 3);
  },

  async 'a line that was not recorded is logged by running the program again'({ project, person, page }) {
    project.write('sum.js', SUM);
    project.asked('last-change', 'total', '--at', 'sum.js:9', '--', 'node', 'sum.js');
    const address = new URL(await project.open());
    await page.goto(address.href);
    await person.tab('log');
    await page.getByLabel('expressions').fill('n, rest');
    await page.getByLabel('line', { exact: true }).fill('sum.js:4');
    await page.getByLabel('expressions').press('Enter');
    const again = page.getByRole('button', { name: 'Run it again for this log' });
    await again.waitFor();
    await person.look('not recorded');
    await again.click();
    await rows(page, 'log').nth(2).waitFor();
    const texts = await eventually(async () => {
      const texts = await rows(page, 'log').allInnerTexts();
      assert.equal(texts.length, 3);
      return texts;
    });
    for (const [row, words] of [/#1\b[^]*2[^]*0/, /#2\b[^]*5[^]*1/, /#3\b[^]*6[^]*0/].entries()) assert.match(texts[row], words);
    await person.look('run again');
    await rows(page, 'log').nth(1).click();
    await page.locator('.top .facts', { hasText: 'run 2' }).waitFor();
    await page.locator('.cm-line', { hasText: 'return (n - rest) / 2' }).waitFor();
  },

  async 'the timeline says about when an event happened'({ project, person, page }) {
    await shop({ project, person });
    const canvas = page.locator('.timeline canvas');
    const { width, height } = await canvas.boundingBox();
    const at = async (x) => {
      await canvas.hover({ position: { x, y: height / 2 } });
      const text = await page.locator('.time-tip').innerText();
      return Number(/about ([\d,]+) ms/.exec(text)?.[1].replaceAll(',', ''));
    };
    await eventually(async () => {
      const [first, last] = [await at(3), await at(width - 3)];
      assert.ok(last - first >= 250, `the timer took 300 ms: ${first} to ${last}`);
    });
    await person.look('two axes');
  },

  async 'only my code: calls and stack without what is in node_modules'({ project, person, page }) {
    await shop({ project, person });
    await page.locator('.cm-line', { hasText: 'const percent' }).click();
    await person.isAt(6, 'const percent');
    const stack = rows(page, 'stack');
    const names = async (of) => (await of.locator('.frame-name').allInnerTexts()).join(' ');
    await eventually(async () => assert.match(await names(stack), /reduced .*handOn/));
    await page.getByRole('button', { name: 'only my code' }).first().click();
    await page.waitForFunction(() => !document.querySelector('[aria-label="stack"]').innerText.includes('handOn'));
    await page.waitForFunction(() => !document.querySelector('[aria-label="calls"]').innerText.includes('handOn'));
    await eventually(async () => assert.match(await names(rows(page, 'calls')), /reduced/));
    await person.look('only my code');
    await page.getByRole('button', { name: 'only my code' }).first().click();
    await page.waitForFunction(() => document.querySelector('[aria-label="stack"]').innerText.includes('handOn'));
  },
};
