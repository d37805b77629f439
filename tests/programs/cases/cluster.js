// unordered
const cluster = require('node:cluster'); if (cluster.isPrimary) { for (let i = 0; i < 2; i++) { const w = cluster.fork({ N: i }); w.on('message', (m) => { console.log('worker says', m); w.kill(); }); w.on('exit', (c, s) => console.log('exit', c, s)); } } else { process.send({ n: process.env.N, id: cluster.worker.id }); }
