// The suites. `from`: the installed package; `run`: the framework's command, in a copy of the package; `read`: how its results are read.
// `small`: part of every test run. `without`: files that cannot run from the published package even plain.
export const suites = [
  { name: 'minimist', from: 'minimist', kind: 'CommonJS, old', run: ['tape', 'test/**/*.js'], read: 'tap', small: true },
  { name: 'qs', from: 'qs', kind: 'CommonJS', run: ['tape', 'test/**/*.js'], read: 'tap' },
  { name: 'resolve', from: 'resolve', kind: 'CommonJS, walks node_modules', run: ['tape', 'test/*.js'], read: 'tap', without: ['test/symlinks.js'] },
  { name: 'object-inspect', from: 'object-inspect', kind: 'CommonJS, reflection', run: ['tape', 'test/*.js'], read: 'tap' },
  { name: 'semver 4', from: 'semver4', kind: 'CommonJS, 2015', run: ['tape', 'test/*.js'], read: 'tap', alias: { tap: 'tape' } },
  { name: 'cheerio 0.18', from: 'cheerio', kind: 'CommonJS, 2014', run: ['mocha', '--require', 'expect.js', '--timeout', '20000', 'test/*.js'], read: 'mocha' },
  { name: 'htmlparser2 3.8', from: 'htmlparser2', kind: 'CommonJS, 2015', run: ['mocha', 'test/*.js'], read: 'mocha' },
  { name: 'papaparse', from: 'papaparse', kind: 'UMD', run: ['mocha', 'tests/node-tests.js', 'tests/test-cases.js'], read: 'mocha', alias: { chai: 'chai4' } },
  { name: 'process-warning', from: 'process-warning', kind: 'CommonJS, jest', run: ['jest', '--json', '--testMatch', '**/jest.test.js'], read: 'jest' },
  { name: 'avvio', from: 'avvio', kind: 'CommonJS, node:test', run: ['node', '--test', '--test-reporter=tap', 'test/*.test.js', 'test/lib/*.test.js', 'test/gh-issues/*.test.js'], read: 'tap' },
  { name: 'find-my-way', from: 'find-my-way', kind: 'CommonJS, node:test', run: ['node', '--test', '--test-reporter=tap', 'test/*.test.js'], read: 'tap' },
  { name: 'fast-json-stringify', from: 'fast-json-stringify', kind: 'CommonJS, generates code', run: ['node', '--test', '--test-reporter=tap', 'test/*.test.js'], read: 'tap' },
  { name: 'pino', from: 'pino', kind: 'CommonJS, workers and child processes', run: ['node', '--test', '--test-reporter=tap', 'test/*.test.js'], read: 'tap' },
  { name: 'fastify', from: 'fastify', kind: 'CommonJS, HTTP servers', run: ['node', '--test', '--test-reporter=tap', 'test/*.test.js'], read: 'tap' },
  { name: 'bl', from: 'bl', kind: 'ES modules', run: ['node', 'test/test.js'], read: 'tap' },
  { name: 'cborg', from: 'cborg', kind: 'ES modules, mocha', run: ['mocha', 'test/test-*.js'], read: 'mocha', small: true },
  { name: 'zod', from: 'zod', kind: 'TypeScript, ES modules, vitest', run: ['vitest', 'run', '--reporter=json', 'src/v4/classic/tests', 'src/v4/core/tests'], read: 'vitest' },
];
