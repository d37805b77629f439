// node mutate.mjs: seeds one defect at a time into the programs and keeps those that make them fail, in mutants.json.
// The set is made once and kept: it is there to be measured on, so nothing may be chosen by how well it is explained.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../../tests/shared/recorded.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const PER_PROGRAM = 5;
const PER_KIND = 2;

// Each gives the texts that a line may become.
const KINDS = {
  operator: (line) => replacements(line, / (<|<=|>|>=|===|!==|\+|-|\*|&&|\|\||\+=|-=) /g, { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '+': '-', '-': '+', '*': '+', '&&': '||', '||': '&&', '+=': '-=', '-=': '+=' }),
  step: (line) => replacements(line, /(\+\+|--)/g, { '++': '--', '--': '++' }),
  constant: (line) => replacements(line, /(?<![\w.'"])(\d+|true|false)(?![\w.'"])/g, { true: 'false', false: 'true' }, (text) => String(Number(text) + 1)),
  dropped: (line) => (/^\s+(?=\S)(?!const|let|return|for|if|while|else|case|break|continue|throw|\}).*;$/.test(line) && !/[{}]/.test(line) ? [`${/^\s*/.exec(line)[0]};`] : []),
  swapped: (line) => [...line.matchAll(/\b([\w.]+)\(([\w.[\]]+), ([\w.[\]]+)\)/g)].map((m) => spliced(line, m.index, m[0], `${m[1]}(${m[3]}, ${m[2]})`)),
  returned: (line) => (/^\s+return [^{]+;$/.test(line) ? [line.replace(/return .*;$/, 'return undefined;')] : []),
  property: (line) => replacements(line, /(\.left|\.right|\.start|\.end|\.next|\.previous|\.length|\.count|\.value)\b/g, { '.left': '.right', '.right': '.left', '.start': '.end', '.end': '.start', '.next': '.previous', '.previous': '.next', '.length': '.size', '.count': '.amount', '.value': '.values' }),
};

const random = randomNumbers(20);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-mutants-'));
const mutants = [];
for (const program of fs.readdirSync(path.join(here, 'programs')).sort()) mutants.push(...mutantsOf(program));
fs.writeFileSync(path.join(here, 'mutants.json'), `[\n${mutants.map((mutant) => JSON.stringify(mutant)).join(',\n')}\n]\n`);
removeFolder(folder);
console.log(`${mutants.length} mutants`);

function mutantsOf(program) {
  const lines = fs.readFileSync(path.join(here, 'programs', program), 'utf8').split('\n');
  const end = lines.indexOf('// checks');
  const candidates = [];
  for (let i = 1; i < end; i++) {
    if (/^\s*\/\/|require\(/.test(lines[i])) continue;
    for (const [kind, change] of Object.entries(KINDS)) for (const text of change(lines[i])) candidates.push({ program, line: i + 1, kind, text });
  }
  const kept = [];
  for (const mutant of shuffled(candidates)) {
    if (kept.length === PER_PROGRAM) break;
    if (kept.some((known) => known.line === mutant.line) || kept.filter((known) => known.kind === mutant.kind).length === PER_KIND) continue;
    if (fails(lines, mutant)) kept.push(mutant);
  }
  return kept.sort((a, b) => a.line - b.line);
}

// With an exception of its own, in time.
function fails(lines, { line, text }) {
  const file = path.join(folder, 'program.cjs');
  fs.writeFileSync(file, lines.map((l, i) => (i === line - 1 ? text : l)).join('\n'));
  const { status, signal, stderr } = spawnSync(process.execPath, ['--max-old-space-size=200', file], { encoding: 'utf8', timeout: 3000 });
  return !signal && status === 1 && /Error/.test(stderr) && !/SyntaxError|heap|call stack/.test(stderr);
}

function replacements(line, pattern, others, otherwise) {
  return [...line.matchAll(pattern)].map((m) => spliced(line, m.index, m[0], m[0].replace(m[1], others[m[1]] ?? otherwise(m[1]))));
}

function spliced(line, at, old, text) {
  return line.slice(0, at) + text + line.slice(at + old.length);
}

function shuffled(list) {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) { const j = Math.floor(random() * (i + 1)); [out[i], out[j]] = [out[j], out[i]]; }
  return out;
}

function randomNumbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
