import test from 'ava';
import { splitCells } from '../source/cells.js';
import { column, readTable } from '../source/table.js';

test('splits at commas', (t) => {
  t.deepEqual(splitCells('a,b,c'), ['a', 'b', 'c']);
});

test('reads names from the first line', (t) => {
  t.deepEqual(readTable('x,y\n1,2'), [{ x: '1', y: '2' }]);
});

test('gives a column', async (t) => {
  const table = await Promise.resolve(readTable('x,y\n1,2\n3,4'));
  t.deepEqual(column(table, 'y'), ['2', '4']);
});

test('knows quotes', (t) => {
  t.deepEqual(readTable('name,note\nAnn,"one, two"\nBob,""'), [
    { name: 'Ann', note: 'one, two' },
    { name: 'Bob', note: '' },
  ]);
});
