import { test } from 'zora';
import { retry } from '../src/retry.js';

test('gives what a task gives', async (t) => {
  const { result } = await retry(async () => 4, { first: 1, factor: 2, most: 3 });
  t.equal(result, 4, 'the result');
});

test('gives up', async (t) => {
  const { result, tried } = await retry(async () => { throw new Error('no'); }, { first: 1, factor: 2, most: 3 });
  t.equal(result, undefined, 'nothing came');
  t.equal(tried.length, 3, 'three times');
});
