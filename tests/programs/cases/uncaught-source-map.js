// flags: --enable-source-maps
// The line and the carets of an uncaught exception come from the source map, by the column of the throw.
const made = 'const o = {}; o.list = [1, 2]; const f = (x) => { o.x = x; return o.none.total; };\nconst g = (a) => { const b = a + 1; return f(b); };\ng(o.list.length);\n';
const original = made.replaceAll('; ', ';\n');
const map = { version: 3, sources: ['original.src'], sourcesContent: [original], names: [], mappings: mappings() };
const fs = require('fs'); const path = require('path'); const os = require('os');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'map-')); const file = path.join(folder, 'made.cjs');
fs.writeFileSync(file, `${made}//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`);
const { status, stderr } = require('child_process').spawnSync(process.execPath, ['--enable-source-maps', file], { encoding: 'utf8' });
console.log(status, stderr.replaceAll(folder, 'FOLDER').replace(/^Node.js v.*\n/m, ''));
fs.rmSync(folder, { recursive: true });

// Each statement, and each word in it, where it is in the original.
function mappings() {
  let [line, last, lastLine, lastColumn] = [0, 0, 0, 0];
  const vlq = (n) => { let [v, out] = [n < 0 ? (-n << 1) | 1 : n << 1, '']; do { const digit = v & 31; v >>= 5; out += 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[v ? digit | 32 : digit]; } while (v); return out; };
  return made.split('\n').map((text) => {
    let [segments, column, start] = [[], 0, 0]; last = 0;
    for (let at = 0; at < text.length; at++) {
      if (/\w/.test(text[at]) && !/\w/.test(text[at - 1] ?? '')) { segments.push(vlq(at - last) + 'A' + vlq(line - lastLine) + vlq(at - start - lastColumn)); last = at; lastLine = line; lastColumn = at - start; }
      if (text.startsWith('; ', at)) { line++; start = at + 2; }
    }
    line++;
    return segments.join(',');
  }).join(';');
}
