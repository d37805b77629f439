// {"env": {"NODE_V8_COVERAGE": "OWN/coverage"}}
// What V8 counts, written by Node at the end, and asked for by a session of the inspector.
const inspector = require('node:inspector');
const fs = require('node:fs');
function covered(n) { if (n > 1) { return 'large'; } return 'small'; }
const session = new inspector.Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }, () => {
  console.log(covered(1));
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    const own = result.find(({ url }) => url.endsWith('coverage.js'));
    console.log(error, own.functions.filter(({ functionName }) => functionName === 'covered').map(({ functionName, ranges }) => [functionName, ranges.map(({ startOffset, endOffset }) => [startOffset, endOffset])]).join('|'));
    session.disconnect();
  });
});
process.on('exit', () => { require('node:v8').takeCoverage(); console.log(fs.readdirSync(process.env.NODE_V8_COVERAGE).length > 0); });
