import test from 'node:test';

test('rejects', async () => { await null; throw new Error('rejected'); });
test('calls back', (t, done) => setImmediate(() => done(new Error('handed on'))));
