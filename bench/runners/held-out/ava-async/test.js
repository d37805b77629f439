import test from 'ava';
import { backoff } from './backoff.js';
import { createLog } from './log.js';
import { retry } from './retry.js';

test('gives what the work gave', async (t) => {
  const { sleep } = createLog();
  t.is(await retry(async () => 7, { sleep }), 7);
});

test('gives up', async (t) => {
  const { sleep } = createLog();
  await t.throwsAsync(retry(async () => { throw new Error('no'); }, { sleep, times: 1 }), { message: 'no' });
});

test('waits no longer than it may', (t) => {
  t.is(backoff(10, 15)(3), 15);
});

test('waits twice as long each time', async (t) => {
  const { log, sleep } = createLog();
  const result = await retry(async (attempt) => {
    if (attempt < 4) throw new Error('not yet');
    return 'done';
  }, { sleep, times: 4 });
  t.is(result, 'done');
  t.is(log.join(), '10,20,40,80');
});
