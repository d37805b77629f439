// The introductory examples of the papers, from the failure to the defect.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { checkout, example } from '../lib/project.mjs';

export const cases = {
  async 'last-change, Figure 1 in three questions'({ project, person, page }) {
    project.write('button.js', example('papers/last-change.md', 'Figure 1'));
    project.record('node', 'button.js');
    await person.open(await project.open());
    await person.clicksLine(15);
    await person.isAt(15, 'innerHTML = myObject.myProperty');
    await person.look('the wrong value');
    await person.asks('Last change', 'myObject', 'myProperty');
    await person.isAt(23, 'myObject.myProperty = 0');
    await person.look('last change of myProperty');
    await person.asks('Last change', 'myCondition', 'value');
    await person.isAt(19, 'myCondition.value = oldValue');
    await person.look('last change of value');
    await person.asks('Last change', 'oldValue');
    await page.locator('.card', { hasText: 'never written' }).waitFor();
    await person.nCards(4);
    await person.look('oldValue was never written');
  },

  async 'querypoint, Figure 1 in four questions'({ project, person, page }) {
    project.write('loops.js', example('papers/querypoint.md', 'Figure 1'));
    project.record('node', 'loops.js');
    await person.open(await project.open());
    await person.isAt(23, 'throw new Error');
    await person.look('A, the failed assertion');
    await person.asks('Last change', 'foo');
    await person.isAt(19, 'foo = null');
    await person.look('B, what made foo null');
    await page.keyboard.press('c');
    await person.isAt(17, 'record.bar || cond');
    await person.look('C, what led there');
    await person.asks('Last change', 'record', 'bar');
    await person.isAt(4, 'record.bar = true');
    await person.look('D, who wrote bar');
    await page.keyboard.press('x');
    await person.isAt(30, 'no reciprocal');
    await person.nCards(5);
    await person.look('E, the exception');
  },

  async 'merge sort, by the judge and the history of c[2]'({ project, person, page }) {
    const right = fs.readFileSync(path.join(checkout, 'bench/judge/programs/mergesort.cjs'), 'utf8');
    // Line 12 of the listing, and of the paper's Figure 1.
    const wrong = right.replace('while (la < ra)\n    c[lc++] = a[la++];', 'while (la < ra)\n    c[lb++] = a[la++];');
    assert.notEqual(wrong, right);
    project.write('mergesort.cjs', wrong);
    project.record('node', 'mergesort.cjs');
    await person.open(await project.open());
    await person.tab('judge');
    await page.getByRole('button', { name: 'Begin' }).click();
    const found = page.getByText('The defect is in merge');
    const asked = page.getByText('Did this call do what it should?');
    for (let n_asked = 0; ; n_asked++) {
      await found.or(asked).waitFor();
      if (await found.isVisible()) break;
      assert.ok(n_asked < 12, 'the judge asks too often');
      const name = await page.locator('.effects-call .link-button').textContent();
      const atStart = await page.locator('.effects tr', { hasText: /^ra/ }).locator('td').first().textContent().catch(() => '');
      await person.look(`question ${n_asked + 1}, ${name}`);
      // Chunks of one are merged as they should be; those of two are not. What calls it is wrong too, and distributing is right.
      const isWrong = name === 'merge' ? atStart === '2' : name !== 'distribute';
      const before = await page.locator('.effects').textContent();
      await page.getByRole('button', { name: isWrong ? 'wrong' : 'right', exact: true }).click();
      await page.waitForFunction((before) => document.querySelector('.effects')?.textContent !== before || document.body.textContent.includes('The defect is in'), before);
    }
    await person.look('the wrong call');
    await page.locator('.effects').getByRole('button', { name: 'c[2]', exact: true }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    const newest = page.locator('[aria-label="history"] [role=option]').last();
    await newest.filter({ hasText: '9' }).waitFor();
    await newest.click();
    await person.isAt(8, 'c[lb++] = a[la++]');
    await person.look('the defect');
  },

  async 'FileLister, by the balloon'({ project, person, page }) {
    project.write('lister.js', example('omissions/papers.md', 'FileLister'));
    project.record('node', 'lister.js');
    await person.open(await project.open());
    await person.clicksLine(24);
    await person.isAt(24, 's.join()');
    await person.asks('What should have happened?', 's');
    await person.isAt(6, 'if (this.active)');
    await page.locator('.cm-balloon', { hasText: 'push' }).first().waitFor();
    await person.look('the balloon');
    await person.asks('Last change', 'this', 'active');
    await person.isAt(13, 'this.active = false');
    await person.look('the defect');
  },

  async 'lokijs-46, explained'({ project, person, page }) {
    const bug = path.join(checkout, 'bench/bugs/lokijs-46');
    for (const name of ['package.json', 'repro.cjs']) fs.copyFileSync(path.join(bug, name), path.join(project.folder, name));
    const installed = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline', '--loglevel=error'], { cwd: project.folder, stdio: 'inherit' });
    assert.equal(installed.status, 0, 'npm install');
    project.record('node', 'repro.cjs');
    await person.open(await project.open());
    await person.isAt(13, 'found.owner');
    await person.look('the failure');
    await page.keyboard.press('Shift+W');
    const { cause } = JSON.parse(fs.readFileSync(path.join(bug, 'TRUTH.json'), 'utf8'));
    await page.locator('.card', { hasText: cause.snippet.replace(';', '') }).first().waitFor();
    await person.look('the explanation');
    await page.locator('.card', { hasText: cause.snippet.replace(';', '') }).first().locator('.card-main').click();
    await person.isAt(cause.line, cause.snippet);
    await person.look('the defect');
  },
};
