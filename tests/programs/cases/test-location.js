// node:test tells where each test stands, also in a line with other code, and in files that node runs itself.
const { run } = require('node:test'); const path = require('path'); const fs = require('fs'); const os = require('os');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'location-'));
const file = path.join(folder, 'a.test.cjs');
fs.writeFileSync(file, "const { test, describe, it, before } = require('node:test'); const o = { a: 1 }; o.b = test('first', () => {}); if (o.a) { o.c = test('second', (t) => { o.d = t.test('inner', () => {}); return o.d; }); }\ndescribe('suite', () => { before(() => { o.e = 1; }); it('third', () => { o.f = 2; }); });\n");
const places = [];
run({ files: [file] }).on('test:pass', ({ name, file: where, line, column }) => { if (line) places.push(`${name} ${path.basename(where ?? '')}:${line}:${column}`); }).on('end', () => { console.log(places.join('\n')); fs.rmSync(folder, { recursive: true }); }).resume();
