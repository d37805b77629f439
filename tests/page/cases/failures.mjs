// A suite with failing tests: where the page opens, the list of failures, a card that is a write, the path to a failed assertion.
import assert from 'node:assert/strict';
import { eventually } from '../lib/person.mjs';
import { copySuite } from '../lib/suite.mjs';

async function suite({ project, person }) {
  copySuite(project.folder);
  project.record('npm', 'test');
  await person.open(await project.open());
}

const at = (page, place) => page.locator('.steps .at', { hasText: place }).waitFor();
const failures = (page) => page.locator('[aria-label="failures"] .row');
const card = (page, text) => page.locator('.card', { hasText: text });

export const cases = {
  async 'it opens at the first failed assertion, in its thread, explained; each failed test is listed once'({ project, person, page }) {
    await suite({ project, person });
    await at(page, 'test/cart.test.js:12');
    await card(page, 'percent became undefined').waitFor();
    await person.look('opened');
    await page.locator('.card').first().filter({ hasText: /failure[^]*cart\.total[^]*expected NaN to equal 23/ }).waitFor();
    assert.equal(await page.locator('.said > div').count(), 0, 'nothing went wrong on the way');
    await page.locator('.failure-words', { hasText: 'adds up lines' }).waitFor();
    const tab = page.getByRole('tab', { name: /failures/ });
    await tab.locator('.badge', { hasText: /^3$/ }).waitFor();
    await tab.click();
    await failures(page).nth(2).waitFor();
    const listed = await failures(page).allInnerTexts();
    const wanted = [/cart\.test\.js:10[^]*adds up lines/, /zone\.test\.js:10[^]*reads east/, /zone\.test\.js:15[^]*writes what it read/];
    assert.equal(listed.length, wanted.length, listed.join('\n'));
    for (const [row, words] of wanted.entries()) assert.match(listed[row], words);
    await person.look('the list');
    // The second of its thread.
    await failures(page).nth(2).click();
    await at(page, 'test/zone.test.js:17');
    const chosen = page.locator('.card.chosen');
    await chosen.filter({ hasText: '+05:30' }).waitFor();
    await page.locator('.failure-words', { hasText: 'writes what it read' }).waitFor();
    // The answer is seen, and not only its first card.
    await eventually(async () => {
      const list = await page.locator('.cards').boundingBox();
      const below = await page.locator('.card.chosen + .card').boundingBox();
      assert.ok(below && below.y >= list.y && below.y + 40 <= list.y + list.height, JSON.stringify([list, below]));
    });
    await person.look('the third');
    // Whoever comes back finds it as it was left.
    const n = await page.locator('.card').count();
    await page.reload();
    await at(page, 'test/zone.test.js:17');
    await person.nCards(n);
  },

  async 'a card that is a write shows what was there and what was written, and that is what is explained'({ project, person, page }) {
    await suite({ project, person });
    await person.tab(/failures/);
    await failures(page).nth(1).click();
    const write = card(page, 'offset became -180').filter({ hasText: 'offset = -(' }).first();
    await write.locator('.change', { hasText: 'undefined → -180' }).waitFor();
    await write.locator('.card-main').click();
    await at(page, 'src/zone.js:26');
    const offset = await person.value('offset');
    await offset.filter({ hasText: /undefined\s*→\s*-180/ }).waitFor();
    await person.look('at the write');
    const before = await page.locator('.card').count();
    await person.asks('Why this value', 'offset');
    await page.waitForFunction((before) => document.querySelectorAll('.card').length > before, before);
    await person.look('explained');
    const answer = page.locator('.card.chosen', { hasText: 'offset: undefined → -180' });
    await answer.waitFor();
    assert.doesNotMatch(await answer.innerText(), /nothing ever wrote/);
  },

  async 'the path to a failed assertion ends in the project, without the insides of the assertion library'({ project, person, page }) {
    await suite({ project, person });
    await card(page, 'percent became undefined').waitFor();
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/api/ask', async (route) => {
      if (route.request().postData().includes('crash-path')) await held;
      await route.continue();
    });
    await person.tab('crash path');
    await page.getByText('looking for the path').waitFor();
    await person.look('it is looked for');
    const started = Date.now();
    release();
    const steps = page.locator('[aria-label="steps to the crash"] [role=option]');
    await steps.filter({ hasText: 'crash' }).first().waitFor();
    assert.ok(Date.now() - started < 2_000, 'within two seconds');
    await eventually(async () => {
      const shown = await steps.allInnerTexts();
      assert.equal(shown.filter((text) => text.includes('claim/')).length, 0, shown.join('\n'));
      assert.match(shown.at(-1), /cart\.test\.js:12[^]*crash/);
    });
    await page.getByRole('button', { name: '‹ previous' }).click();
    await at(page, 'test/cart.test.js:12');
    await page.getByRole('button', { name: '‹ previous' }).click();
    await person.look('walked back');
    // That of another failure, in a thread in which more than one test failed.
    await person.tab(/failures/);
    await failures(page).nth(2).click();
    await at(page, 'test/zone.test.js:17');
    await person.tab('crash path');
    await steps.filter({ hasText: 'zone.test.js:17' }).filter({ hasText: 'crash' }).first().waitFor();
    await person.look('of the third');
  },

  async 'only my code leaves the variables of the module system out'({ project, person, page }) {
    await suite({ project, person });
    const rows = page.locator('.values [role=treeitem]');
    // Under a test runner that wraps the files that it loads there are many more.
    await rows.filter({ hasText: /^\W*describe:/ }).waitFor();
    await page.getByRole('button', { name: 'only my code' }).first().click();
    await page.waitForFunction(() => !document.querySelector('[aria-label="variables"]').innerText.includes('describe'));
    await rows.filter({ hasText: /^\W*cart:/ }).first().waitFor();
    await person.look('only my code');
  },
};
