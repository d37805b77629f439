const Bluebird = require('bluebird');
const async = require('async');
const R = require('ramda');

const wait = (ms, value) => Bluebird.delay(ms).return(value);
(async () => {
  console.log(await Bluebird.map([3, 1, 2], (n) => wait(n, n * 2), { concurrency: 2 }), await Bluebird.props({ a: wait(1, 1), b: 2 }));
  await Bluebird.reject(new TypeError('refused')).catch(RangeError, () => console.log('never')).catch(TypeError, (error) => console.log('caught', error.message));
  await wait(200).timeout(5, 'too long').catch(Bluebird.TimeoutError, (error) => console.log(error.message, error.stack.split('\n').length));
  console.log(await Bluebird.promisify(require('node:fs').stat)('nothing').catch((error) => error.code));
  console.log(await Bluebird.coroutine(function* () { return (yield wait(1, 5)) + 1; })());
  console.log(await async.mapLimit([1, 2, 3], 2, async (n) => n * n), await async.waterfall([(next) => next(null, 1), (x, next) => setImmediate(next, null, x + 1)]));
  const queue = async.queue((task, done) => setTimeout(() => { console.log('task', task); done(task === 'b' ? new Error('bad task') : null); }, 1), 1);
  for (const task of ['a', 'b', 'c']) queue.push(task, (error) => error && console.log(error.message));
  await queue.drain();
  console.log(R.pipe(R.filter(R.propSatisfies(R.gt(R.__, 3), 'n')), R.pluck('n'), R.sum)([{ n: 2 }, { n: 4 }, { n: 6 }]), R.groupBy(R.length)(['a', 'bb', 'c']), R.over(R.lensPath(['a', 'b']), R.inc, { a: { b: 1 } }));
  Bluebird.reject(new Error('nobody handles this'));
})();
