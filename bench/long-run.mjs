// A run of so many million events, made once and kept: a sum over a long loop that calls a function each time.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { removeFolder } from '../tests/shared/recorded.mjs';

const PROGRAM = `
const cart = { total: 0, lines: [] };
function price(n) { if (n % 7 === 0) return 0; return n % 100; }
function fill(n) { for (let i = 0; i < n; i++) { cart.total = (cart.total + price(i)) % 1000003; if (i % 100000 === 0) cart.lines.push({ i }); } return cart.total; }
const half = Number(process.argv[2]);
fill(half);
const middle = cart.total;
fill(half);
if (cart.total !== middle) throw new Error('the total is ' + cart.total);
`;

/** Its folder. The folder around it is a place for other programs. */
export function longRun({ wherefore, folder, millions, again }) {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'long.js'), PROGRAM);
  const run = path.join(folder, 'run');
  const wanted = millions * 1e6;
  if (again || nEvents(run) < wanted) {
    // An iteration has about eight events; one run too few tells how many.
    for (let half = Math.ceil(wanted / 16); ; half = Math.ceil((half * 1.1 * wanted) / nEvents(run))) {
      removeFolder(run);
      spawnSync(wherefore, ['record', '-o', run, '--', 'node', path.join(folder, 'long.js'), String(half)], { stdio: 'ignore' });
      if (nEvents(run) >= wanted) break;
    }
    spawnSync(wherefore, ['index', run], { stdio: 'ignore' });
  }
  return run;
}

function nEvents(run) {
  const file = path.join(run, 'run.txt');
  if (!fs.existsSync(file)) return 0;
  return Number(/^events\t(\d+)$/m.exec(fs.readFileSync(file, 'utf8'))?.[1] ?? 0);
}
