// What V8 counts of the program's own files, asked for by sessions of the inspector; and that no others are counted.
const inspector = require('inspector'); const fs = require('fs'); const path = require('path'); const { Worker, isMainThread } = require('worker_threads');
const file = path.join(__dirname, 'helpers/covered.js');
const source = fs.readFileSync(file, 'utf8');
const show = ({ result }) => {
  for (const { url, functions } of result.filter(({ url }) => !url.startsWith('node:'))) {
    console.log(url.split('/').slice(-2).join('/'));
    if (url.endsWith('covered.js')) functions.forEach(({ functionName, ranges, isBlockCoverage }) => console.log(functionName, isBlockCoverage, ranges.map(({ startOffset, endOffset, count }) => `${startOffset}-${endOffset} ${count} ${JSON.stringify(source.slice(startOffset, Math.min(endOffset, startOffset + 20)))}`)));
  }
};
const session = new inspector.Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
require(file);
const where = (error) => error.stack.split('\n').slice(1, 3).map((line) => line.replace(/\(?\/.*\//, '').replace(/:\d+:\d+/, '')).join();
session.post('Profiler.takePreciseCoverage', function (error, reply) { console.log(error, Object.keys(reply), arguments.length, this === globalThis, where(new Error('here'))); show(reply); });
session.post('Profiler.takePreciseCoverage', {}, (error, reply) => show(reply));
session.post('Profiler.takePreciseCoverage', null);
session.post('Profiler.getBestEffortCoverage', (error, reply) => show(reply));
session.post('Profiler.stopPreciseCoverage', (error, reply) => console.log(error, reply));
session.post('Profiler.takePreciseCoverage', (error, reply) => console.log(error, reply));
for (const wrong of [() => session.post('Profiler.takePreciseCoverage', {}, 5), () => session.post(), () => session.post({ toString() { console.log('asked'); } })]) { try { wrong(); } catch (error) { console.log(error.message); } }
console.log(session.post.length, session.post.name, String(session.post).slice(0, 40), Object.getOwnPropertyNames(inspector.Session.prototype));
const later = new (require('inspector/promises').Session)();
later.connect();
(async () => {
  await later.post('Profiler.enable');
  await later.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  delete require.cache[file];
  require(file);
  show(await later.post('Profiler.takePreciseCoverage'));
})().then(() => { if (isMainThread) new Worker(__filename); });
