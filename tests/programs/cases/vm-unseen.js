// Text that comes to V8 without node:vm as the program has it: the REPL, and modules without a file.
const repl = require('repl'); const { PassThrough } = require('stream'); const { spawnSync } = require('child_process');
const [input, output] = [new PassThrough(), new PassThrough()]; globalThis.shared = { n: 1 };
const server = repl.start({ input, output, prompt: '', useGlobal: true, terminal: false }); output.on('data', (data) => process.stdout.write(data));
server.on('exit', () => {
  console.log(shared);
  for (const args of [['--input-type=module', '-e', 'const o = { n: 1 }; o.n += 1; console.log(o, import.meta.url.slice(0, 4)); function f() { return null.x; } export { f }; f();'], ['-e', 'import("data:text/javascript,const o = { n: 1 }; o.n += 1; console.log(o, new Error().stack.split(String.fromCharCode(10))[1])")'], ['-p', 'const o = { n: 1 }; o.n += 1; o']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    console.log(status, stdout, stderr);
  }
});
input.write('shared.n = 2; function f() { shared.n += 1; return new Error("x").stack.split("\\n").length > 1; }\nf()\nlet q = [1, 2].map((x) => x * 2)\nq\nnull.y\n.exit\n');
