import { execa, execaNode, execaSync, $ } from 'execa';
import fs from 'node:fs';

fs.writeFileSync('child.mjs', "console.log('child', process.argv.slice(2).join(' '), process.execArgv.length, process.env.NODE_OPTIONS ?? 'no options'); if (process.argv[2] === 'fail') { console.error('bad'); process.exit(3); }");
console.log((await execa('node', ['child.mjs', 'a', 'b'])).stdout);
console.log((await execaNode('child.mjs', ['c'])).stdout, execaSync('node', ['-p', '1+1']).stdout);
console.log((await $`echo ${'one two'} three`.pipe`cat`).stdout);
for (const make of [() => execa('node', ['child.mjs', 'fail']), () => execa('no-such-command'), () => execa('node', ['-e', 'setTimeout(() => {}, 1e6)'], { timeout: 50 })]) {
  try { await make(); } catch (error) { console.log(error.name, error.exitCode, error.code, error.signal, error.timedOut, error.shortMessage, error.stderr); }
}
for await (const line of execa('node', ['-e', 'for (let i = 0; i < 3; i++) console.log(i)'])) console.log('line', line);
