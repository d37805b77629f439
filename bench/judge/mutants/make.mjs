// node mutants/make.mjs: seeds one defect at a time into the programs of this folder, and writes those that show to defects.json.
// Which defects, and which programs are held out, follows from a fixed seed: nothing is chosen by how many questions it takes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { failure, plant } from '../mutant.mjs';
import { removeFolder } from '../../../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const SET = 'mutants';
const PER_PROGRAM = 6;
const SEED = 14;

const SWAPPED = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '+': '-', '-': '+', '*': '+', '/': '*', '&&': '||', '||': '&&', '+=': '-=', '-=': '+=', '++': '--', true: 'false', false: 'true' };
const CHANGES = [
  (line) => replaced(line, / (<=?|>=?|[=!]==|[-+*/]|&&|\|\||[-+]=) /g, (text) => SWAPPED[text]),
  (line) => replaced(line, /(?<=[\w\]])(\+\+)/g, (text) => SWAPPED[text]),
  (line) => replaced(line, /(?<![\w.'"$])(\d+|true|false)(?![\w.'"])/g, (text) => SWAPPED[text] ?? String(Number(text) + 1)),
  (line) => (/^\s+return [^{]+;$/.test(line) ? [[line.trim(), 'return undefined;']] : []),
  (line) => (/^\s+(?!const|let|return|for|if|while|\}).*;$/.test(line) ? [[line.trim(), ';']] : []),
];

const random = randomNumbers(SEED);
const programs = JSON.parse(fs.readFileSync(path.join(here, 'programs.json'), 'utf8'));
const names = Object.keys(programs).sort();
const held = shuffled(names).slice(0, Math.round(names.length / 3));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'judge-mutants-'));
const kept = [];
for (const program of names) kept.push(...await defectsOf(program));
removeFolder(folder);
fs.writeFileSync(path.join(here, 'defects.json'), `[\n${kept.map((defect) => JSON.stringify(defect)).join(',\n')}\n]\n`);
console.log(`${kept.length} defects; held out: ${held.join(', ')}`);

async function defectsOf(program) {
  const lines = fs.readFileSync(path.join(here, `${program}.cjs`), 'utf8').split('\n');
  const trusted = new Set([...programs[program].trusted, 'main', 'constructor']);
  const candidates = [];
  let inside;
  lines.forEach((line, i) => {
    const head = /^(?:function |  )(?!if|for|while|return)(\w+)\(.*\) \{$/.exec(line);
    if (head) inside = head[1];
    else if (/^(  )?\}$/.test(line) && !/^ {4}/.test(line)) { if (line === '}') inside = undefined; }
    else if (inside && !trusted.has(inside)) {
      for (const change of CHANGES) for (const [from, to] of change(line)) candidates.push({ program, line: i + 1, function: inside, from, to });
    }
  });
  const found = [];
  for (const defect of shuffled(candidates)) {
    if (found.length === PER_PROGRAM) break;
    // No line twice, and no function more than twice.
    if (found.some((other) => other.line === defect.line) || found.filter((other) => other.function === defect.function).length === 2) continue;
    if (await shows(defect)) found.push({ ...defect, held: held.includes(program) });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** In what the program prints, in time. What V8 throws by itself the oracle cannot judge: a recording does not have it. */
async function shows(defect) {
  try {
    const wrongAt = await failure(SET, defect.program, plant(SET, defect, folder));
    return wrongAt !== undefined && wrongAt !== 'crash';
  } catch {
    return false;
  }
}

/** Pairs of a text of the line, from its first difference to its end, and what it becomes. */
function replaced(line, pattern, other) {
  return [...line.matchAll(pattern)].map((match) => {
    const at = match.index + match[0].indexOf(match[1]);
    const start = Math.max(0, at - 8);
    const rest = line.slice(at + match[1].length);
    return [line.slice(start), line.slice(start, at) + other(match[1]) + rest];
  });
}

function shuffled(list) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

/** mulberry32 */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
