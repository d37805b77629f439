// What V8 counts of the program's own files, at the end of a process and when it is asked for; and that no others are counted.
const fs = require('fs'); const path = require('path'); const os = require('os'); const { spawnSync } = require('child_process');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'coverage-'));
const file = path.join(__dirname, 'helpers/covered.js');
const show = (source, scripts) => {
  for (const { url, functions } of scripts.filter(({ url }) => !url.startsWith('node:'))) {
    console.log(url.split('/').slice(-2).join('/'));
    if (url.endsWith('covered.js')) functions.forEach(({ functionName, ranges, isBlockCoverage }) => console.log(functionName, isBlockCoverage, ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset} ${count} ${JSON.stringify(source.slice(startOffset, Math.min(endOffset, startOffset + 20)))}`)));
  }
};
for (const args of [[file], [file, 'twice'], ['--test-reporter=tap', '--test', file]]) {
  const results = path.join(folder, String(args.length));
  const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, NODE_V8_COVERAGE: results }, encoding: 'utf8' });
  console.log(args.slice(0, -1).concat(status), stderr);
  // Named by process and millisecond: in the order in which they were written. Two of one millisecond would be one file, so covered.js waits between them.
  const files = fs.readdirSync(results).sort().map((name) => JSON.parse(fs.readFileSync(path.join(results, name), 'utf8')));
  for (const { result } of files) show(fs.readFileSync(file, 'utf8'), result);
}
fs.rmSync(folder, { recursive: true });
