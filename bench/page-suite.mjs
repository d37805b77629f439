// The page on the failing suite of a project under vitest, recorded with its tools: how soon source and failure are seen, how soon a card
// is, and how soon the path to the failed assertion. The project is made here, and vitest comes from the npm registry.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from '../tests/shared/recorded.mjs';

/** Milliseconds. */
const LIMITS = { opening: 1_500, card: 300, path: 2_000 };
const VITEST = '3.2.7';
const [N_FILES, N_TESTS] = [12, 10];
/** The number of events of a run is within this of what was wanted. */
const NEAR = 0.1;

export async function measureSuite({ wherefore, cache, millions, again, browser }) {
  const folder = path.join(path.resolve(cache), 'page-suite');
  const n_events = record(wherefore, folder, millions * 1e6, again);
  const rows = [];
  const told = (name, value, limit) => rows.push({ name, value, limit, unit: 'ms', isBroken: limit !== undefined && !(value <= limit) });
  for (const what of ['first', 'second']) {
    // What is kept for later openings is not there at the first one.
    if (what === 'first') forget(folder);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const started = performance.now();
    const server = spawn(wherefore, ['open', '--no-browser'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const url = await new Promise((resolve, reject) => {
        server.stdout.once('data', (text) => resolve(String(text).trim()));
        server.once('close', () => reject(new Error('wherefore open ended')));
      });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      const since = async (locator) => {
        await locator.first().waitFor();
        return performance.now() - started;
      };
      const all = [since(page.locator('.cm-current')), since(page.locator('.card-failure')), since(page.locator('.cm-hits .hits:not(:empty)').nth(2))];
      await page.goto(url);
      const [source, failure, counts] = await Promise.all(all);
      told(`${what} opening: the source`, source, LIMITS.opening);
      told(`${what} opening: the failure, explained`, failure, LIMITS.opening);
      told(`${what} opening: how often its lines were executed`, counts);
      if (what === 'first') continue;
      for (const [name, times] of Object.entries(await cards(page))) told(`${name}, slowest of ${times.length}`, Math.max(...times), LIMITS.card);
      const before = performance.now();
      await page.getByRole('tab', { name: 'crash path' }).click();
      await page.locator('[aria-label="steps to the crash"] [role=option]').first().waitFor();
      told('the path to the failed assertion', performance.now() - before, LIMITS.path);
    } finally {
      await context.close();
      server.kill();
    }
  }
  return { rows, n_events };
}

/** Questions of all kinds about the variables at the failure, and clicks on the cards that are there. */
async function cards(page) {
  const times = {};
  const took = (name, time) => (times[name] ??= []).push(time);
  const painted = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  const toFailure = async () => {
    await page.locator('.failure-words').click();
    await page.locator('.steps .at', { hasText: /ledger-\d+\.test\.js/ }).waitFor();
    await page.locator('.values [role=treeitem]', { hasText: 'ledger' }).first().waitFor();
  };
  const n_there = Math.min(5, await page.locator('.card').count());
  for (let card = 1; card < n_there; card++) {
    const before = await page.locator('.steps .at').textContent();
    const started = performance.now();
    await page.locator('.card').nth(card).locator('.card-main').click();
    await page.waitForFunction((before) => document.querySelector('.steps .at').textContent !== before, before);
    await painted();
    took('a card is gone to', performance.now() - started);
  }
  for (const name of ['Last change', 'Why this value', 'Where was it born']) {
    for (const variable of ['ledger', 'balance']) {
      await toFailure();
      await page.locator('.values [role=treeitem]', { hasText: new RegExp(`^\\W*${variable}:`) }).first().click({ button: 'right' });
      const item = page.getByRole('menuitem', { name });
      if (!(await item.count())) {
        await page.keyboard.press('Escape');
        continue;
      }
      const before = await page.locator('.card').count();
      const started = performance.now();
      await item.click();
      // A question that says so instead of making a card is answered, too.
      await page.waitForFunction((before) => document.querySelectorAll('.card').length > before || document.querySelector('.said > div'), before);
      await painted();
      took(`a new card: ${name.toLowerCase()}`, performance.now() - started);
    }
  }
  await toFailure();
  const before = await page.locator('.card').count();
  const started = performance.now();
  await page.getByRole('button', { name: 'last condition' }).click();
  await page.waitForFunction((before) => document.querySelectorAll('.card').length > before || document.querySelector('.said > div'), before);
  await painted();
  took('a new card: last condition', performance.now() - started);
  return times;
}

/** Makes the project and records its tests with their tools, until the run has about so many events. */
function record(wherefore, folder, wanted, again) {
  const runs = path.join(folder, '.wherefore/runs');
  const known = latest(runs);
  if (!again && Math.abs(known / wanted - 1) <= NEAR) return known;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', scripts: { test: 'vitest run' }, devDependencies: { vitest: VITEST } }));
  if (!fs.existsSync(path.join(folder, 'node_modules/vitest'))) {
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    const { status } = spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('npm install of vitest failed');
  }
  const few = { rows: 0, n: 0 };
  for (let rows = 100; ; ) {
    removeFolder(path.join(folder, '.wherefore'));
    write(folder, rows);
    spawnSync(wherefore, ['record', '--include-tools', '--', 'npm', 'test'], { cwd: folder, stdio: 'ignore', env: { ...process.env, CI: '1' } });
    const n = latest(runs);
    if (n === 0) throw new Error('nothing was recorded');
    if (Math.abs(n / wanted - 1) <= NEAR) break;
    // What the tools do comes to the same number each time; the rest grows with the rows.
    const more = (n - few.n) / (rows - few.rows);
    const next = few.n === 0 ? rows * 3 : Math.round(rows + (wanted - n) / more);
    if (next < 1) throw new Error(`vitest alone makes ${n} events`);
    Object.assign(few, { rows, n });
    rows = next;
  }
  spawnSync(wherefore, ['index'], { cwd: folder, stdio: 'ignore' });
  return latest(runs);
}

const LEDGER = `
export class Ledger {
  entries = [];
  byAccount = new Map();

  post(text) {
    const [account, amount, kind] = text.split(';');
    const cents = kind === 'debit' ? -centsOf(amount) : centsOf(amount);
    this.entries.push({ account, cents });
    this.byAccount.set(account, (this.byAccount.get(account) ?? 0) + cents);
  }

  balance(account) {
    let sum = 0;
    for (const entry of this.entries) if (entry.account === account) sum += entry.cents;
    return sum;
  }
}

export function centsOf(text) {
  const [whole, part = '0'] = text.split('.');
  return Number(whole) * 100 + Number(part);
}

export function rows(seed, n) {
  const made = [];
  for (let i = 0; i < n; i++) made.push(\`a\${(seed + i) % 7};\${(seed * 31 + i * 17) % 90 + 10}.\${10 + (i % 90)};\${i % 3 ? 'credit' : 'debit'}\`);
  return made;
}
`;

/** Of each file all tests pass but one of the sixth, in which an amount has one digit behind the point. */
function write(folder, n_rows) {
  fs.mkdirSync(path.join(folder, 'src'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'test'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'src/ledger.js'), LEDGER);
  for (let file = 0; file < N_FILES; file++) {
    const tests = Array.from({ length: N_TESTS }, (_, test) => {
      const seed = file * N_TESTS + test;
      const isWrong = file === 5 && test === 5;
      const last = isWrong ? `ledger.post('b;12.5;credit');` : `ledger.post('b;12.50;credit');`;
      return `  it('keeps balance ${test}', () => {
    const ledger = new Ledger();
    for (const row of rows(${seed}, ${n_rows})) ledger.post(row);
    ${last}
    const balance = ledger.balance('b');
    expect(balance).toBe(1250);
    expect(ledger.balance('a3')).toBe(ledger.byAccount.get('a3') ?? 0);
  });
`;
    });
    const text = `import { describe, expect, it } from 'vitest';\nimport { Ledger, rows } from '../src/ledger.js';\n\ndescribe('ledger ${file}', () => {\n${tests.join('\n')}});\n`;
    fs.writeFileSync(path.join(folder, `test/ledger-${file}.test.js`), text);
  }
}

/** How many events the newest run has. */
function latest(runs) {
  if (!fs.existsSync(runs)) return 0;
  const numbers = fs.readdirSync(runs).map(Number).filter(Number.isInteger);
  const file = path.join(runs, String(Math.max(...numbers)), 'run.txt');
  return fs.existsSync(file) ? Number(/^events\t(\d+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? 0) : 0;
}

/** What earlier openings left: counted lines, cards. */
function forget(folder) {
  const runs = path.join(folder, '.wherefore/runs');
  for (const run of fs.readdirSync(runs).filter((name) => /^\d+$/.test(name))) {
    for (const file of fs.readdirSync(path.join(runs, run))) if (/\.lines$|^chain/.test(file)) fs.rmSync(path.join(runs, run, file));
  }
}
