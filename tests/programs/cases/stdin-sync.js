// stdin: 3 4\n
const [a, b] = require('node:fs').readFileSync(0, 'utf8').trim().split(' ').map(Number); console.log(a * b);
