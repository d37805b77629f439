// What a person does on the page: by mouse and keyboard alone.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const PATIENCE = 20_000;

/** Checks until it holds: what is seen follows what was done, at its own time. */
export async function eventually(check) {
  for (const end = Date.now() + PATIENCE; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

export class Person {
  constructor(page, pictures) {
    this.page = page;
    this.pictures = pictures;
    this.n_pictures = 0;
    page.setDefaultTimeout(PATIENCE);
  }

  async open(url, patience = PATIENCE) {
    await this.page.goto(url);
    await this.page.locator('.cm-current').first().waitFor({ timeout: patience });
  }

  /** A picture of what is seen, kept beside those of the other steps. */
  async look(name) {
    this.n_pictures += 1;
    fs.mkdirSync(this.pictures, { recursive: true });
    const file = path.join(this.pictures, `${String(this.n_pictures).padStart(2, '0')}-${name.replaceAll(/\W+/g, '-')}.png`);
    await this.page.screenshot({ path: file });
  }

  /** The line of the source that is shown as the current one. */
  async isAt(line, text) {
    const shown = this.page.locator('.cm-current, .cm-caller').first();
    await this.page.locator('.steps .at', { hasText: `:${line} ·` }).waitFor();
    await shown.filter({ hasText: text }).waitFor();
  }

  /** Does what leads to another moment, and waits until the page is there. */
  async moves(act) {
    const before = await this.page.locator('.steps .at').textContent();
    await act();
    await this.page.waitForFunction((before) => document.querySelector('.steps .at').textContent !== before, before, { timeout: PATIENCE });
  }

  /** A value of the variables, by its path: names that are opened one after the other. */
  async value(...names) {
    const rows = this.page.locator('.values [role=treeitem]');
    for (const [depth, name] of names.entries()) {
      const row = rows.filter({ has: this.page.locator(`.name:text-is(${JSON.stringify(name)})`) }).and(this.page.locator(`[aria-level="${depth + 1}"]`)).first();
      await row.waitFor();
      if (depth === names.length - 1) return row;
      if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
    }
  }

  async asks(what, ...names) {
    const row = await this.value(...names);
    await row.click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: what }).click();
  }

  async clicksLine(line) {
    await this.page.locator('.cm-lineNumbers .cm-gutterElement').filter({ hasText: new RegExp(`^${line}$`) }).click();
  }

  async tab(name) {
    await this.page.getByRole('tab', { name }).click();
  }

  async nCards(n) {
    await assert.doesNotReject(this.page.waitForFunction((n) => document.querySelectorAll('.card').length === n, n, { timeout: PATIENCE }), `${n} cards`);
  }
}
