// Functions without a name have the one that V8 infers also in what a session of the inspector tells of coverage.
const { Session } = require('node:inspector');
const session = new Session();
session.connect();
const o = { r() {} };
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const lists = () => [[() => 1, () => { o.x = 1; }], [(a) => o.r(a, { k: 2 }), function () {}, { l: 3 }]];
lists().flat().forEach((f) => typeof f === 'function' && f());
session.post('Profiler.takePreciseCoverage', (error, { result }) => {
  const { functions } = result.find(({ url }) => url.endsWith('/coverage-names.js'));
  console.log(functions.map(({ functionName }) => functionName));
});
