'use strict';
const { Queue } = require('./queue.js');
const { Transport } = require('./transport.js');

const transport = new Transport([{ to: 'bob@closed.example', permanent: true }]);
const queue = new Queue({ most: 2 });
for (const to of ['ann@home.example', 'bob@closed.example', 'cy@home.example']) queue.add({ to, text: 'hello' });
queue.drain(transport).then((n) => {
  const { undeliverable } = queue;
  console.log(n, 'sent');
  if (n + undeliverable.length !== 3) throw new Error(`${3 - n - undeliverable.length} letters were lost`);
});
