// The chain, which is what the page is about: its place, its cards, its numbers.
import assert from 'node:assert/strict';
import { eventually } from '../lib/person.mjs';

const LONG = 'total = total + line.price * line.pieces - discounts.reduce((sum, one) => sum + one.cents, 0) + shipping(line, "express delivery");';

const ORDERS = [
  'const discounts = [{ cents: 5 }];',
  'const shipping = (line, how) => line.pieces + how.length;',
  'let total = 0;',
  'function add(line) {',
  `  ${LONG}`,
  '  return total;',
  '}',
  'let n = 0;',
  'n = 1; n = 2; n = 3; n = 4; n = 5; n = 6;',
  'add({ price: 3, pieces: 2 });',
  'throw new Error("total is " + total + " after " + n);',
].join('\n');

async function orders({ project, person }) {
  project.write('orders.js', ORDERS);
  project.record('node', 'orders.js');
  await person.open(await project.open());
}

const box = (locator) => locator.boundingBox();

async function hasAThird(page, width) {
  await eventually(async () => {
    const chain = await box(page.locator('.chain'));
    assert.ok(Math.abs(chain.width - width / 3) < 3, `${chain.width} pixels of ${width}`);
  });
}

export const cases = {
  async 'the chain has a third of the width, and shows code as a whole'({ project, person, page }) {
    await orders({ project, person });
    await hasAThird(page, 1440);
    await person.asks('Last change', 'total');
    const code = page.locator('.card-last-change .card-source');
    await code.filter({ hasText: 'express delivery' }).waitFor();
    await person.look('a long line');
    await eventually(async () => {
      const isCut = await code.evaluate((element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
      assert.equal(isCut, false, 'the code is seen as a whole');
    });
    await page.setViewportSize({ width: 1000, height: 800 });
    await hasAThird(page, 1000);
  },

  async 'a card stands below the one that it was asked of, and a new one is scrolled to'({ project, person, page }) {
    await page.setViewportSize({ width: 1440, height: 560 });
    await orders({ project, person });
    await person.asks('Last change', 'total');
    await page.locator('.card-last-change').waitFor();
    for (let n = 0; n < 12; n++) {
      await page.locator('.card').first().locator('.card-main').click();
      await person.isAt(11, 'throw new Error');
      for (let back = 0; back <= n; back++) await page.keyboard.press('Shift+F10');
      await page.waitForTimeout(120);
      await page.keyboard.press('m');
    }
    await person.look('many cards');
    const chosenIsSeen = async () => {
      const [list, card] = [await box(page.locator('.cards')), await box(page.locator('.card.chosen'))];
      assert.ok(card.y >= list.y - 1 && card.y + card.height <= list.y + list.height + 1, 'the chosen card is seen');
    };
    await eventually(chosenIsSeen);
    await page.locator('.card').first().locator('.card-main').click();
    await person.asks('Last change', 'n');
    await page.locator('.card-last-change').nth(1).waitFor();
    // Asked of the first card, it stands below it, before the cards that hang on none.
    const shown = await page.locator('.card').evaluateAll((cards) => cards.map((one) => `${one.getAttribute('aria-level')} ${one.querySelector('.card-words').textContent}`));
    assert.deepEqual(shown.slice(0, 3), ['1 failure', '2 last change of total', '2 last change of n'], shown.join('\n'));
    const lefts = await page.locator('.card').evaluateAll((cards) => cards.slice(0, 3).map((one) => one.getBoundingClientRect().left));
    assert.ok(lefts[1] > lefts[0] && lefts[1] === lefts[2], `${lefts}`);
    await eventually(chosenIsSeen);
  },

  async 'numbers of cards are drawn, whatever font there is'({ project, person, page }) {
    await orders({ project, person });
    const n_before = await page.locator('.card').count();
    for (let n = 0; n < 12; n++) {
      await person.moves(() => page.keyboard.press('Shift+F11'));
      await page.keyboard.press('m');
      await person.nCards(n_before + n + 1);
    }
    const pins = await page.locator('.card .pin').allTextContents();
    assert.ok(pins.length >= 11, `${pins.length} cards`);
    assert.deepEqual(pins, pins.map((_, index) => String(index + 1)));
    await person.look('more than ten');
    const widths = await page.locator('.card .pin').evaluateAll((all) => all.map((one) => [one.offsetWidth, one.scrollWidth]));
    for (const [width, inner] of widths) assert.ok(inner <= width, 'it fits into its circle');
  },

  async 'in a narrow window the chain comes first'({ project, person, page }) {
    await page.setViewportSize({ width: 600, height: 900 });
    await orders({ project, person });
    await page.keyboard.press('Shift+W');
    await page.locator('.card').first().waitFor();
    await person.look('narrow');
    await eventually(async () => {
      const [chain, centre, timeline, tabs] = await Promise.all(['.chain', '.centre', '.timeline', '.bottom'].map((one) => box(page.locator(one))));
      assert.ok(chain.y < centre.y && centre.y < timeline.y && timeline.y < tabs.y, JSON.stringify([chain, centre, timeline, tabs]));
      assert.ok(chain.y < 200);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1), false, 'nothing is cut off at the side');
    });
  },
};
