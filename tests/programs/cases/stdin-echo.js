// stdin: line one\nline två 😀\nlast without newline
process.stdin.setEncoding('utf8'); let all = ''; process.stdin.on('data', (d) => { all += d; }); process.stdin.on('end', () => { const lines = all.split('\n'); for (const [i, l] of lines.entries()) process.stdout.write(`${i}: ${l}\n`); });
