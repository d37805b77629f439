// node bench/ci.mjs [--wherefore BIN] [--rounds N]
// A suite of 500 tests that all pass, under `node --test` plain and under `wherefore ci`, in turns. The median of the ratios must be
// below 1.05: nothing is recorded unless the command fails. Then one test is broken, and what `ci` reports is looked at.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { removeFolder } from '../tests/shared/recorded.mjs';

const LIMIT = 1.05;
const { values: options } = parseArgs({ options: {
  wherefore: { type: 'string', default: path.join(path.dirname(fileURLToPath(import.meta.url)), '../target/release/wherefore') },
  rounds: { type: 'string', default: '11' },
} });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wherefore-ci-'));
const suite = ['node', '--test', 'suite.test.js'];
write(undefined);

const ratios = [];
for (let round = 0; round < Number(options.rounds); round++) {
  // The order alternates: the second is favoured by caches.
  const [first, second] = round % 2 ? [ci, plain] : [plain, ci];
  const times = new Map([[first, first()], [second, second()]]);
  ratios.push(times.get(ci) / times.get(plain));
}
ratios.sort((a, b) => a - b);
const median = ratios[ratios.length >> 1];
console.log(`500 tests that pass: ${median.toFixed(3)} × plain (${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)}), limit ${LIMIT}`);

write(250);
const failed = spawnSync(options.wherefore, ['ci', '--', ...suite], { cwd: folder, encoding: 'utf8' });
assert.equal(failed.status, 1, failed.stderr);
const report = fs.readFileSync(path.join(folder, 'wherefore-report/why.md'), 'utf8');
assert.match(report, /sum/);
console.log(`one of them failed: the report has ${report.split('\n').length} lines`);
removeFolder(folder);
process.exit(median < LIMIT ? 0 : 1);

function plain() {
  return timed(suite[0], suite.slice(1));
}

function ci() {
  return timed(options.wherefore, ['ci', '--', ...suite]);
}

function timed(command, args) {
  const started = process.hrtime.bigint();
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'ignore' });
  assert.equal(status, 0);
  return Number(process.hrtime.bigint() - started);
}

function write(broken) {
  const tests = Array.from({ length: 500 }, (_, n) => `test('sum of ${n}', () => {
  const numbers = Array.from({ length: ${n} + 1 }, (_, at) => at);
  const sum = numbers.reduce((sum, one) => sum + one, ${n === broken ? 1 : 0});
  assert.equal(sum, ${(n * (n + 1)) / 2});
});`);
  fs.writeFileSync(path.join(folder, 'suite.test.js'), `const test = require('node:test');
const assert = require('node:assert');
${tests.join('\n')}
`);
}
