// What the page must bear.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from '../../shared/recorded.mjs';

/** The newest run of a project that has events already. */
async function until(what, seconds = 20) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const found = await what();
    if (found) return found;
  }
  throw new Error('it did not come about');
}

export const cases = {
  async 'a run that is being recorded grows on the page'({ project, person, page }) {
    project.write('server.js', 'let n = 0;\nfunction tick() {\n  n += 1;\n  if (n % 10 === 0) console.log(n);\n}\nsetInterval(tick, 5);\n');
    const recording = spawn(project.wherefore, ['record', '--', 'node', 'server.js'], { cwd: project.folder, stdio: 'ignore' });
    try {
      await until(() => fs.existsSync(path.join(project.folder, '.wherefore/runs/1/run.txt')));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await page.goto(await project.open());
      await page.getByText('being recorded').first().waitFor();
      const events = async () => Number(/([\d.,]+)\s*(k?) events/.exec(await page.locator('.top .facts').textContent())?.[1].replace(',', '') ?? 0);
      const first = await events();
      await until(async () => (await events()) > first);
      await person.look('it grows');
    } finally {
      recording.kill('SIGINT');
      await new Promise((resolve) => recording.on('close', resolve));
    }
  },

  async 'a run that disappears is said to be gone'({ project, person, page }) {
    project.write('app.js', 'const a = [1, 2, 3];\nfor (const x of a) console.log(x);\n');
    project.record('node', 'app.js');
    await person.open(await project.open());
    removeFolder(path.join(project.folder, '.wherefore/runs/1'));
    await person.clicksLine(1);
    await page.locator('.said-problem').waitFor();
    await person.look('it is gone');
    await person.tab('runs');
    await page.getByText('this project has no runs').waitFor();
  },

  async 'two pages on one run lose no card'({ project, person, page, context }) {
    project.write('app.js', 'let a = 1;\na = 2;\nlet b = a;\nb = 3;\nconsole.log(a, b);\n');
    project.record('node', 'app.js');
    const url = await project.open();
    await person.open(url);
    const second = await context.newPage();
    await second.goto(url);
    await second.locator('.cm-current').first().waitFor();
    await person.clicksLine(4);
    await person.isAt(4, 'b = 3');
    await page.keyboard.press('m');
    await page.locator('.card').first().waitFor();
    await second.locator('.cm-lineNumbers .cm-gutterElement').filter({ hasText: /^2$/ }).click();
    await second.locator('.steps .at', { hasText: ':2 ·' }).waitFor();
    await second.locator('.editor').focus().catch(() => {});
    await second.getByRole('button', { name: 'keep', exact: true }).click();
    await second.waitForFunction(() => document.querySelectorAll('.card').length === 2);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.card').length === 2);
  },

  async 'a source that cannot be found is said to be missing'({ project, person, page }) {
    project.write('app.js', 'const a = 1;\nconsole.log(a);\n');
    project.record('node', 'app.js');
    const url = new URL(await project.open());
    url.searchParams.set('file', 'gone.js');
    await page.goto(url.href);
    await page.getByText('The source of gone.js cannot be shown').waitFor();
    await person.look('no source');
    await page.goto(url.href.replace('file=gone.js', 'at=gone.js:3'));
    await page.locator('.said-problem').waitFor();
  },

  async 'a value of 50 MB, a stack of 10,000 frames, an object of a million keys'({ project, person, page }) {
    project.write('large.js', [
      'const long = "x".repeat(50e6);',
      'const wide = {};',
      'for (let i = 0; i < 1_000_000; i++) wide["key" + i] = i;',
      'function deep(n) {',
      '  if (n === 0) throw new Error("deep enough");',
      '  return deep(n - 1) + 1;',
      '}',
      'deep(9998);',
    ].join('\n'));
    project.record('node', '--stack-size=4000', 'large.js');
    // Where an exception left 10,000 frames, finding it takes its time.
    await person.open(await project.open(), 120_000);
    // It comes in pages.
    await page.getByRole('button', { name: 'outer ones are left out' }).waitFor();
    await person.look('a deep stack');
    while (await page.getByRole('button', { name: 'outer ones are left out' }).isVisible()) {
      const before = await page.locator('.values .panel-head .dim').first().textContent();
      await page.getByRole('button', { name: 'outer ones are left out' }).click();
      await page.waitForFunction((before) => document.querySelector('.values .panel-head .dim').textContent !== before, before, { timeout: 120_000 });
    }
    await page.getByText(/(9,999|10,000|10,001) frames/).waitFor();
    const stack = page.locator('[aria-label="stack"]');
    await stack.focus();
    await page.keyboard.press('End');
    await page.locator('.stack [aria-selected=true]', { hasText: 'top level' }).waitFor();
    let wide;
    // Made from its birth on once, and then kept. The frames below have the same variable: what was opened there is closed when those of this frame come.
    const first = page.locator('.values .name:text-is("key0")');
    for (let time = 1; !(await first.isVisible()); time++) {
      wide = await person.value('wide');
      await wide.click();
      await first.waitFor({ timeout: 20_000 }).catch((error) => assert.ok(time < 4, `${error}`));
    }
    // Behind the first page stands how many are left out.
    await wide.hover();
    await page.mouse.wheel(0, 100 * 22);
    await page.getByText('999,900 more are left out').waitFor();
    await page.mouse.wheel(0, -100 * 22);
    const long = await person.value('long');
    assert.ok((await long.textContent()).length < 1_000, 'a long value is cut');
    await person.look('a wide object');
    const n_nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(n_nodes < 5_000, `${n_nodes} elements`);
  },

  async 'what the browser kept is broken'({ project, person, page }) {
    project.write('small.js', 'throw new Error("small");\n');
    project.record('node', 'small.js');
    await page.addInitScript(() => {
      localStorage.setItem('wherefore-sizes', '{"chain": "wide", "timeline": 1e9');
      localStorage.setItem('wherefore-theme', '"purple"');
      localStorage.setItem('wherefore-watches', '{"a": 1}');
    });
    await person.open(await project.open());
    await person.isAt(1, 'throw new Error');
  },
};
