import { Table } from './table.ts';

const table = new Table([
  { title: 'name', side: 'left' },
  { title: 'kind', side: 'middle' },
  { title: 'price', side: 'right' },
]);
table.add('lamp', 'x', 35).add('bookshelf', 'yy', 1200.5);

const rows = table.render();
const width = 'bookshelf'.length + 'kind'.length + '1200.5'.length + 2 * ' | '.length;
if (rows.some((row) => row.length !== width)) throw new Error(`row of ${rows.map((row) => row.length)}, not ${width}`);
console.log(rows.join('\n'));
