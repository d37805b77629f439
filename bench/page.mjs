// node page.mjs [--wherefore BIN] [--cache DIR] [--only long|suite] [--events 100] [--suite-events 27] [--again] [--clicks 60]
// The page on a run of so many million events, in Chromium: how soon something is seen, how soon a click is answered on screen,
// whether the call tree scrolls and the timeline zooms at 60 frames a second, what memory the page takes, against the limits. Then the
// page on a failing suite under vitest (page-suite.mjs).
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { launch } from '../tests/page/lib/browser.mjs';
import { longRun } from './long-run.mjs';
import { measureSuite } from './page-suite.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(here, '../target/release/wherefore') },
  cache: { type: 'string', default: path.join(here, '../target/bench') },
  only: { type: 'string' },
  events: { type: 'string', default: '100' },
  'suite-events': { type: 'string', default: '27' },
  again: { type: 'boolean' },
  clicks: { type: 'string', default: '60' },
} });
/** Milliseconds; frames a second; megabytes. */
const LIMITS = { paint: 500, click: 100, frames: 60, memory: 300 };
/** A frame that is a little late is no dropped frame: the clock of the browser has whole and half milliseconds. */
const TOLERANCE = 0.97;

const browser = await launch();
let page;
let n_broken = 0;
try {
  if (options.only !== 'suite') await measureLong();
  if (options.only !== 'long') {
    const { cache, again } = options;
    const wherefore = path.resolve(options.wherefore);
    const { rows, n_events } = await measureSuite({ wherefore, cache, again, millions: Number(options['suite-events']), browser });
    report(`the page on a suite under vitest, ${(n_events / 1e6).toFixed(1)} million events with its tools`, rows);
  }
  console.log(n_broken ? `\n${n_broken} limits broken` : '\nwithin all limits');
  process.exitCode = n_broken ? 1 : 0;
} finally {
  await browser.close();
}

function report(title, rows) {
  console.log(`\n| ${title} | | limit |\n|---|---|---|`);
  for (const { name, value, limit, unit, isBroken } of rows) {
    const text = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`.trim();
    console.log(`| ${name} | ${isBroken ? `**${text}**` : text} | ${limit ?? ''} |`);
  }
  n_broken += rows.filter((row) => row.isBroken).length;
}

async function measureLong() {
  const folder = path.join(options.cache, 'sessions');
  const run = longRun({ wherefore: options.wherefore, folder, millions: Number(options.events), again: options.again });
  const server = spawn(options.wherefore, ['open', run, '--no-browser'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  try {
    const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
    const rows = [];
    const told = (name, value, limit, unit, isBroken) => rows.push({ name, value, limit, unit, isBroken });

    await page.goto(url);
    await page.locator('.cm-current').first().waitFor();
    await page.reload();
    await page.locator('.cm-current').first().waitFor();
    const source = await page.evaluate(() => performance.now());
    const paint = await page.evaluate(async () => {
      for (;;) {
        const [entry] = performance.getEntriesByName('first-contentful-paint');
        if (entry) return entry.startTime;
        await new Promise(requestAnimationFrame);
      }
    });
    told('first paint', paint, LIMITS.paint, 'ms', paint > LIMITS.paint);
    told('until the source is shown', source, undefined, 'ms', false);

    const clicks = await measureClicks(Number(options.clicks));
    for (const [name, times] of Object.entries(clicks.by)) told(`a click: ${name}, median of ${times.length}`, quantile(times, 0.5), undefined, 'ms', false);
    const high = quantile(clicks.all, 0.95);
    told(`any click, 95th percentile of ${clicks.all.length}`, high, LIMITS.click, 'ms', high > LIMITS.click);

    const scrolled = await frames('scroll');
    told('frames a second, scrolling the call tree', scrolled, LIMITS.frames, '', scrolled < LIMITS.frames * TOLERANCE);
    const zoomed = await frames('zoom');
    told('frames a second, zooming the timeline', zoomed, LIMITS.frames, '', zoomed < LIMITS.frames * TOLERANCE);
    const memory = await memoryOfPage();
    told('memory of the page', memory, LIMITS.memory, 'MB', memory > LIMITS.memory);
    report(`the page on a run of ${options.events} million events`, rows);
  } finally {
    await context.close();
    server.kill();
  }
}

/** Clicks of all kinds, in turn. Each takes from the click until what it asked for has been painted. */
async function measureClicks(count) {
  const kinds = {
    'a place in the timeline': ['.timeline canvas', '.steps .at', (n) => ({ x: 40 + ((n * 197) % 1300), y: 60 })],
    'a step over': ['[aria-label="forward, over calls"]', '.steps .at'],
    'a step back, into calls': ['[aria-label="back, into calls"]', '.steps .at'],
    'the previous time of a line': ['[aria-label="previous time of this line"]', '.steps .at'],
    'a frame of the stack': ['.stack .row:last-child', '.values .panel-head .dim'],
    'a step out': ['[aria-label="back, out of the function"]', '.steps .at'],
  };
  const by = {};
  const all = [];
  for (let n = 0; all.length < count && n < count * 2; n++) {
    const [name, [target, shown, position]] = Object.entries(kinds)[n % Object.keys(kinds).length];
    const element = page.locator(target).first();
    if (!(await element.count())) continue;
    const time = await page.evaluate(
      async ([target, shown, at]) => {
        const element = document.querySelector(target);
        const watched = document.querySelector(shown);
        const before = watched?.textContent;
        const box = element.getBoundingClientRect();
        const started = performance.now();
        if (at) {
          for (const type of ['pointerdown', 'pointerup']) {
            element.dispatchEvent(new PointerEvent(type, { clientX: box.left + at.x, clientY: box.top + at.y, bubbles: true, pointerId: 1 }));
          }
        } else element.click();
        const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        while (document.querySelector(shown)?.textContent === before) {
          if (performance.now() - started > 3_000) return undefined;
          await painted();
        }
        await painted();
        return performance.now() - started;
      },
      [target, shown, position?.(n)],
    );
    // A step at the start of a thread changes nothing.
    if (time === undefined) continue;
    (by[name] ??= []).push(time);
    all.push(time);
  }
  return { by, all };
}

/** Frames a second over two seconds in which something is done in each. */
async function frames(what) {
  return await page.evaluate(async (what) => {
    const list = document.querySelector('[aria-label="calls"]');
    const canvas = document.querySelector('.timeline canvas');
    const box = canvas.getBoundingClientRect();
    let n_frames = 0;
    const acts = {
      scroll: () => (list.scrollTop = (n_frames * 90) % Math.max(1, list.scrollHeight - list.clientHeight)),
      zoom() {
        const deltaY = n_frames % 120 < 60 ? -40 : 40;
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX: box.left + box.width * 0.6, clientY: box.top + 40, bubbles: true, cancelable: true }));
      },
    };
    const started = performance.now();
    await new Promise((resolve) => {
      const frame = () => {
        acts[what]();
        n_frames++;
        if (performance.now() - started < 2_000) requestAnimationFrame(frame);
        else resolve();
      };
      requestAnimationFrame(frame);
    });
    return (n_frames / (performance.now() - started)) * 1000;
  }, what);
}

/** What the process of the page has for itself, in megabytes. */
async function memoryOfPage() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.filter((one) => one.type === 'renderer').map(({ id }) => {
    const text = fs.readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)[1]) / 1024;
  });
  return Math.max(...sizes);
}

function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
