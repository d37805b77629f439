// Running again, several runs, and what is sent to others.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { eventually } from '../lib/person.mjs';

const SHOP = [
  'const fs = require("node:fs");',
  'function price(n) {',
  '  const rate = n > 2 ? 10 : 1;',
  '  return n * rate;',
  '}',
  'const n = Number(process.argv[2] ?? 1);',
  'const total = price(n);',
  'if (fs.existsSync("slow")) setInterval(() => console.log("still here"), 20);',
  'if (total > 20) throw new Error("too much: " + total);',
  'console.log("paid", total);',
].join('\n');

async function saved(page, what) {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'more about the chain' }).click();
  await page.getByRole('menuitem', { name: what }).click();
  const file = await download;
  return { name: file.suggestedFilename(), text: fs.readFileSync(await file.path(), 'utf8') };
}

export const cases = {
  async 'the program is run again, with progress, and the new run is shown'({ project, person, page }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '2');
    await person.open(await project.open());
    await page.locator('.top .facts', { hasText: 'run 1' }).waitFor();
    await person.tab('runs');
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.locator('.top .facts', { hasText: 'run 2' }).waitFor();
    await page.locator('[aria-label="runs"] [role=option]').nth(1).waitFor();
    await person.look('a second run');
    // The first one is still there, one click away.
    await page.locator('[aria-label="runs"] [role=option]').last().click();
    await page.locator('.top .facts', { hasText: 'run 1' }).waitFor();
    await page.goBack();
    await page.locator('.top .facts', { hasText: 'run 2' }).waitFor();
  },

  async 'a program that does not end is stopped'({ project, person, page }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '2');
    project.write('slow', '');
    await person.open(await project.open());
    await person.tab('runs');
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page.getByText('recording node shop.js 2').waitFor();
    await page.getByText('still here').waitFor();
    await person.look('it runs');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Run it again' }).waitFor();
    assert.ok(fs.existsSync(path.join(project.folder, '.wherefore/runs/2')), 'what was recorded until then is kept');
  },

  async 'a run that recorded only what a question needed is recorded as a whole'({ project, person, page }) {
    project.write('shop.js', SHOP);
    const asked = project.asked('last-change', 'total', '--at', 'shop.js:9', '--', 'node', 'shop.js', '3');
    assert.match(asked.stdout, /total was written/);
    await page.goto(await project.open());
    const again = page.getByRole('button', { name: 'Run it again and record everything' });
    await again.waitFor();
    await person.look('it did not record that');
    await again.click();
    await page.locator('.top .facts', { hasText: 'run 2' }).waitFor();
    await page.locator('.cm-current').first().waitFor();
    await person.asks('Last change', 'total');
    await person.isAt(7, 'const total');
  },

  async 'a failing run is compared with a passing one'({ project, person, page }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '2');
    project.record('node', 'shop.js', '3');
    await person.open(await project.open());
    await person.isAt(9, 'too much');
    await person.tab('runs');
    await page.getByRole('button', { name: 'compare with another run' }).click();
    await page.locator('#tab-compare[aria-selected=true]').waitFor();
    await page.getByRole('combobox', { name: /compare run 2 with/ }).selectOption('1');
    const first = page.locator('[aria-label="differences"] [role=option]').filter({ hasText: /shop\.js:[37]/ }).first();
    await first.waitFor();
    await person.look('what is different');
    await first.click();
    await page.locator('.steps .at', { hasText: /:[37] ·/ }).waitFor();
    const row = page.locator('[aria-label="variables in both runs"] tbody tr', { hasText: /^n\d/ }).first();
    await row.filter({ hasText: '32' }).waitFor();
    await person.look('both runs at one place');
    // Both values are there, and what differs is marked.
    await eventually(async () => {
      assert.deepEqual(await row.locator('td').allTextContents(), ['3', '2']);
      assert.deepEqual(await row.locator('mark').allTextContents(), ['3', '2']);
    });
    await page.getByText(/variables? differs?/).waitFor();
    // The places are those of `why --against`.
    const said = spawnSync(project.wherefore, ['why', '--run', '2', '--against', '1', '--format', 'json'], { cwd: project.folder, encoding: 'utf8' });
    const { chain } = JSON.parse(said.stdout).answer;
    const rows = page.locator('[aria-label="differences"] [role=option]');
    await eventually(async () => {
      assert.deepEqual((await rows.locator('.column-place').allTextContents()).sort(), chain.map((hop) => `${hop.point.file}:${hop.point.line}`).sort());
      assert.equal(await rows.locator('.difference').count(), chain.filter((hop) => hop.difference).length);
    });
  },

  async 'the chain is sent as Markdown and as a picture'({ project, person, page, context }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '3');
    await person.open(await project.open());
    await page.keyboard.press('Shift+W');
    await page.locator('.card').nth(1).waitFor();
    const markdown = await saved(page, 'Export as Markdown');
    assert.equal(markdown.name, 'chain.md');
    assert.match(markdown.text, /^# .*too much: 30/);
    assert.match(markdown.text, /shop\.js:\d+/);
    const picture = await saved(page, 'Export as a picture');
    assert.equal(picture.name, 'chain.svg');
    const second = await context.newPage();
    await second.setContent(picture.text);
    const shown = await second.locator('svg').boundingBox();
    assert.ok(shown.width > 400 && shown.height > 100);
    await second.locator('text', { hasText: 'shop.js' }).first().waitFor();
    const problems = await second.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror').length, picture.text);
    assert.equal(problems, 0);
  },

  async 'what is typed right after Ctrl-K is searched for'({ project, person, page }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '3');
    await person.open(await project.open());
    await page.keyboard.press('Control+k');
    await page.keyboard.type('price');
    await eventually(async () => assert.equal(await page.locator('dialog.search input').inputValue(), 'price'));
    await page.locator('.hit', { hasText: 'function' }).first().waitFor();
    await person.look('found');
    await page.locator('.hit', { has: page.locator('.hit-function') }).first().click();
    await person.isAt(2, 'function price');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('too much');
    await page.locator('.hit', { hasText: 'shop.js:9' }).first().waitFor();
    await page.keyboard.press('Escape');
  },

  async 'the crash path is walked from the birth to the crash'({ project, person, page }) {
    project.write('cart.js', [
      'class Cart {',
      '  lines = [];',
      '  add(line) {',
      '    this.lines.push(line);',
      '  }',
      '}',
      'function checkout(cart) {',
      '  for (const line of cart.lines) if (line.price.amount < 0) return 0;',
      '  return 1;',
      '}',
      'const cart = new Cart();',
      'const book = { price: { amount: 3 } };',
      'cart.add(book);',
      'if (cart.lines.length) book.price = undefined;',
      'checkout(cart);',
    ].join('\n'));
    project.record('node', 'cart.js');
    await person.open(await project.open());
    await person.tab('crash path');
    const steps = page.locator('[aria-label="steps to the crash"] [role=option]');
    await steps.filter({ hasText: 'crash' }).first().waitFor();
    await person.look('the crash path');
    const previous = page.getByRole('button', { name: '‹ previous' });
    const seen = [];
    const where = page.locator('.list-head .dim').first();
    const [, last] = /^step (\d+) of/.exec(await where.textContent());
    for (let step = Number(last) - 1; step >= 1; step--) {
      await previous.click();
      await where.filter({ hasText: `step ${step} of` }).waitFor();
      seen.push(await steps.and(page.locator('[aria-current=step]')).textContent());
    }
    await page.locator('.steps .at', { hasText: ':12 ·' }).waitFor();
    assert.ok(seen.some((text) => /cart\.js:14.*write/.test(text)), `the write is on the way: ${seen.join(' | ')}`);
    await person.look('at the birth');
  },

  async 'the source is that of the run, though only a letter of it changed'({ project, person, page }) {
    project.write('shop.js', SHOP);
    project.record('node', 'shop.js', '3');
    project.write('shop.js', SHOP.replace('too much', 'too MUCH'));
    project.record('node', 'shop.js', '3');
    await person.open(await project.open());
    await person.isAt(9, 'too MUCH');
    await person.tab('runs');
    await page.locator('[aria-label="runs"] [role=option]').last().click();
    await page.locator('.top .facts', { hasText: 'run 1' }).waitFor();
    await person.isAt(9, 'too much');
  },

  async 'what is asked about a value of an outer frame is asked there'({ project, person, page }) {
    project.write('frames.js', [
      'function inner(x) {',
      '  x = x + 1;',
      '  throw new Error("stop at " + x);',
      '}',
      'function outer() {',
      '  let x = 5;',
      '  x = 6;',
      '  inner(100);',
      '}',
      'outer();',
    ].join('\n'));
    project.record('node', 'frames.js');
    await person.open(await project.open());
    await page.locator('[aria-label="stack"] [role=option]', { hasText: 'outer' }).click();
    await page.locator('.values [role=treeitem]', { hasText: 'x:6' }).waitFor();
    await person.asks('Why this value', 'x');
    await page.locator('.card', { hasText: 'frames.js:7' }).waitFor();
    await person.look('why, in the outer frame');
    await page.goto((await page.evaluate(() => location.origin)) + '/?at=crash');
    await page.locator('[aria-label="stack"] [role=option]', { hasText: 'outer' }).click();
    await page.locator('.values [role=treeitem]', { hasText: 'x:6' }).waitFor();
    await person.asks('History', 'x');
    const changes = page.locator('[aria-label="history"] [role=option]');
    await changes.filter({ hasText: 'x = 6' }).waitFor();
    await person.look('history, in the outer frame');
    assert.equal(await changes.filter({ hasText: 'x = x + 1' }).count(), 0, 'the inner one has another x');
  },

  async 'an entry of a Map is asked about as an entry'({ project, person, page }) {
    project.write('prices.js', [
      'const prices = new Map();',
      'prices.set("pen", 2);',
      'prices.set("pen", NaN);',
      'throw new Error("the price is " + prices.get("pen"));',
    ].join('\n'));
    project.record('node', 'prices.js');
    await person.open(await project.open());
    await person.asks('Last change', 'prices', '"pen"');
    await page.locator('.card', { hasText: 'prices.js:3' }).waitFor();
    await person.look('an entry of a Map');
  },

  async 'the timeline of a run of some blocks shows its calls'({ project, person, page }) {
    project.write('many.js', [
      'function leaf(n) { return n % 3; }',
      'function branch(n) { let sum = 0; for (let i = 0; i < 50; i++) sum += leaf(i + n); return sum; }',
      'for (let i = 0; i < 600; i++) branch(i);',
      'throw new Error("done");',
    ].join('\n'));
    project.record('node', 'many.js');
    await person.open(await project.open());
    const overview = await page.evaluate(async () => {
      const body = JSON.stringify({ question: { kind: 'overview', parts: 320 } });
      return (await fetch('/api/ask', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
    });
    const { parts } = overview.answer;
    assert.ok(parts.at(-1).events[1] > 100_000, 'more than a block or two');
    assert.ok(parts.length > 300, `${parts.length} parts`);
    assert.ok(parts[1].stack.length > 0, 'calls are known from the start on');
    await person.look('the timeline');
  },

  async 'values at the ends of lines, and what counted up or down'({ project, person, page }) {
    project.write('count.js', [
      'const box = { n: 5 };',
      'const list = [1, 2];',
      'function run() {',
      '  let left = 3;',
      '  left--;',
      '  box.n++;',
      '  list[1] = 7;',
      '  throw new Error("stop");',
      '}',
      'run();',
    ].join('\n'));
    project.record('node', 'count.js');
    await person.open(await project.open());
    await person.isAt(8, 'throw new Error');
    await page.locator('.cm-line', { hasText: 'list[1] = 7' }).filter({ hasText: '[1] = 7' }).locator('.cm-ending', { hasText: '[1] = 7' }).waitFor();
    await person.look('counted');
    assert.equal(await page.locator('.cm-ending', { hasText: '.n = 5' }).count(), 0, 'that was before');
    const left = await person.value('left');
    await left.and(page.locator('.mark-changed')).waitFor();
    await left.filter({ hasText: 'left:3 →2' }).waitFor();
  },
};
