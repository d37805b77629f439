// Ways to start tests. All test the same program, in which a price is rounded the wrong way: of its two tests one fails.
// `install` names a folder of packages; `prepare` are commands that make the project ready, plain; a runner that `isUntold` is not listened to.
import { execFileSync } from 'node:child_process';

export const INSTALLS = {
  none: {},
  jest: { jest: '30.2.0', 'ts-jest': '29.4.5', typescript: '5.9.3', '@babel/core': '7.28.5', '@babel/preset-env': '7.28.5', 'babel-jest': '30.2.0' },
  mocha: { mocha: '11.7.1', 'ts-node': '10.9.2', typescript: '5.9.3', chai: '4.5.0' },
  mocha12: { mocha: '12.0.3' },
  vitest5: { vitest: '5.1.0', vite: '8.3.8' },
  vitest: { vitest: '3.2.4' },
  small: { tsx: '4.20.6', ava: '6.4.1', jasmine: '5.10.0', tape: '5.10.2', uvu: '0.5.6', 'cross-env': '10.1.0' },
  tap: { tap: '21.1.0' },
  playwright: { '@playwright/test': '1.65.0' },
  managers: { pnpm: '10.20.0', yarn: '1.22.22', lerna: '9.0.0', turbo: '2.6.0', nx: '22.0.2' },
  // Each of these brings commands named pnpm or yarn.
  berry: { '@yarnpkg/cli-dist': '4.10.3' },
  corepack: { corepack: '0.34.4' },
};

const TITLE = 'an order of three costs less';
const CAUSE = { text: 'Math.ceil(sum * (1 - rate))' };

const basket = (types, head) => `${head}export class Basket {
  constructor() {
    this.lines = [];
  }
  add(name${types ? ': string' : ''}, cents${types ? ': number' : ''}, pieces = 1) {
    this.lines.push({ name, cents, pieces });
    return this;
  }
  total() {
    let sum = 0;
    for (const line of this.lines) sum += line.cents * line.pieces;
    const rate = this.lines.length > 2 ? 0.15 : 0;
    return Math.ceil(sum * (1 - rate));
  }
}
`.replace('  constructor', types ? '  lines: { name: string; cents: number; pieces: number }[];\n  constructor' : '  constructor');

const commonJs = (text) => text.replace('export class', 'class').concat('module.exports = { Basket };\n');
const CHAI = ['chai', 'pathval', 'deep-eql', 'loupe', 'type-detect', 'assertion-error', 'check-error', 'get-func-name'];
const MADE = "new Basket().add('pen', 99).add('ink', 399).add('pad', 251).total()";
const WANTED = 636;

// The tests in the styles of runners. Each fails in its line with WANTED.
const STYLES = {
  expect: (load) => `${load}
describe('basket', () => {
  test('an empty order costs nothing', () => {
    expect(new Basket().total()).toBe(0);
  });
  test('${TITLE}', () => {
    expect(${MADE}).toBe(${WANTED});
  });
});
`,
  assert: (load) => `${load}
describe('basket', () => {
  it('an empty order costs nothing', () => {
    assert.equal(new Basket().total(), 0);
  });
  it('${TITLE}', () => {
    assert.equal(${MADE}, ${WANTED});
  });
});
`,
};

// The assertion stands in a hook.
const HOOK = (load) => `${load}
describe('basket', () => {
  it('an empty order costs nothing', () => {
    assert.equal(new Basket().total(), 0);
  });
  describe('of three', () => {
    before(() => {
      assert.equal(${MADE}, ${WANTED});
    });
    it('${TITLE}', () => {});
  });
});
`;

const COMMON = "const { Basket } = require('../src/basket.js');";
const MODULE = "import { Basket } from '../src/basket.js';";
const nodeTest = {
  'src/basket.js': commonJs(basket(false, '')),
  'test/basket.test.js': STYLES.assert(`const { describe, it } = require('node:test');\nconst assert = require('node:assert');\n${COMMON}`),
};
// The registry that npm uses, for managers that have settings of their own.
const REGISTRY = (process.env.npm_config_registry ?? execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })).trim().replace(/\/$/, '');
const nodeTestPlant = plant('test/basket.test.js', 'src/basket.js');

export const SETUPS = [
  setup('ts-jest', 'jest', ['npm', 'test'], {
    'package.json': manifest({ test: 'jest' }),
    'jest.config.js': "module.exports = { testEnvironment: 'node', transform: { '^.+\\\\.ts$': ['ts-jest', { diagnostics: false }] } };\n",
    'tsconfig.json': '{ "compilerOptions": { "target": "ES2022", "module": "CommonJS", "esModuleInterop": true } }\n',
    'src/basket.ts': basket(true, ''),
    'test/basket.test.ts': STYLES.expect("import { Basket } from '../src/basket';"),
  }, plant('test/basket.test.ts', 'src/basket.ts')),
  setup('mocha with ts-node', 'mocha', ['npm', 'test'], {
    'package.json': manifest({ test: 'mocha -r ts-node/register test/*.ts' }),
    'tsconfig.json': '{ "compilerOptions": { "target": "ES2022", "module": "CommonJS", "esModuleInterop": true, "types": [] }, "ts-node": { "transpileOnly": true } }\n',
    'src/basket.ts': basket(true, ''),
    'test/basket.test.ts': STYLES.assert("import assert from 'node:assert';\nimport { Basket } from '../src/basket';\ndeclare const describe: any, it: any;"),
  }, plant('test/basket.test.ts', 'src/basket.ts')),
  setup('vitest 5', 'vitest5', ['npm', 'test'], {
    'package.json': manifest({ test: 'vitest run' }, { type: 'module' }),
    'src/basket.js': basket(false, ''),
    'test/basket.test.js': STYLES.expect(`import { describe, expect, test } from 'vitest';\n${MODULE}`),
  }, nodeTestPlant),
  setup('mocha 12', 'mocha12', ['npm', 'test'], {
    'package.json': manifest({ test: 'mocha test' }),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': STYLES.assert(`const assert = require('node:assert');\n${COMMON}`),
  }, nodeTestPlant),
  setup('mocha with chai', 'mocha', ['npx', 'mocha', 'test'], {
    'package.json': manifest({ test: 'mocha test' }),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': STYLES.assert(`const { assert } = require('chai');\n${COMMON}`),
  }, nodeTestPlant, { libraries: CHAI }),
  setup('Jest with Babel', 'jest', ['npm', 'test'], {
    'package.json': manifest({ test: 'jest' }),
    'babel.config.js': "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };\n",
    'src/basket.js': basket(false, ''),
    'test/basket.test.js': STYLES.expect(MODULE),
  }, nodeTestPlant),
  setup('npx jest', 'jest', ['npx', 'jest'], {
    'package.json': manifest({}),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': STYLES.expect(COMMON),
  }, nodeTestPlant),
  setup('Jest for ES modules', 'jest', ['npm', 'test'], {
    'package.json': manifest({ test: 'NODE_OPTIONS=--experimental-vm-modules jest' }, { type: 'module', jest: { transform: {} } }),
    'src/basket.js': basket(false, ''),
    'test/basket.test.js': STYLES.expect(MODULE),
  }, nodeTestPlant),
  setup('vitest', 'vitest', ['npm', 'test'], {
    'package.json': manifest({ test: 'vitest run' }, { type: 'module' }),
    'src/basket.ts': basket(true, ''),
    'test/basket.test.ts': STYLES.expect("import { describe, expect, test } from 'vitest';\nimport { Basket } from '../src/basket';"),
  }, plant('test/basket.test.ts', 'src/basket.ts')),
  setup('npx vitest in threads', 'vitest', ['npx', 'vitest', 'run', '--pool', 'threads'], {
    'package.json': manifest({}, { type: 'module' }),
    'src/basket.js': basket(false, ''),
    'test/basket.test.js': STYLES.expect(`import { describe, expect, test } from 'vitest';\n${MODULE}`),
  }, nodeTestPlant),
  setup('npm in npm', 'none', ['npm', 'run', 'all'], { ...nodeTest, 'package.json': manifest({ all: 'npm run unit', unit: 'node --test test/' }) }, nodeTestPlant),
  setup('tsx', 'small', ['npm', 'test'], {
    'package.json': manifest({ test: 'tsx --test test/basket.test.ts' }),
    'src/basket.ts': basket(true, ''),
    'test/basket.test.ts': STYLES.assert("import { describe, it } from 'node:test';\nimport assert from 'node:assert';\nimport { Basket } from '../src/basket';"),
  }, plant('test/basket.test.ts', 'src/basket.ts')),
  setup('ava', 'small', ['npm', 'test'], {
    'package.json': manifest({ test: 'ava' }, { type: 'module' }),
    'src/basket.js': basket(false, ''),
    'test/basket.test.js': `import test from 'ava';\n${MODULE}\ntest('an empty order costs nothing', (t) => {\n  t.is(new Basket().total(), 0);\n});\ntest('${TITLE}', (t) => {\n  t.is(${MADE}, ${WANTED});\n});\n`,
  }, nodeTestPlant),
  setup('jasmine', 'small', ['npx', 'jasmine', 'test/*.js'], {
    'package.json': manifest({}),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': STYLES.expect(COMMON).replaceAll('test(', 'it('),
  }, nodeTestPlant),
  setup('tap', 'tap', ['npm', 'test'], {
    'package.json': manifest({ test: 'tap --disable-coverage test/*.js' }),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': `const t = require('tap');\n${COMMON}\nt.test('an empty order costs nothing', (t) => {\n  t.equal(new Basket().total(), 0);\n  t.end();\n});\nt.test('${TITLE}', (t) => {\n  t.equal(${MADE}, ${WANTED});\n  t.end();\n});\n`,
  }, nodeTestPlant),
  setup('uvu', 'small', ['npx', 'uvu', 'test'], {
    'package.json': manifest({}),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': `const { test } = require('uvu');\nconst assert = require('uvu/assert');\n${COMMON}\ntest('${TITLE}', () => {\n  assert.is(${MADE}, ${WANTED});\n});\ntest.run();\n`,
  }, nodeTestPlant, { libraries: ['uvu', 'dequal', 'diff', 'kleur'], isUntold: true }),
  setup('make', 'none', ['make', 'test'], { ...nodeTest, 'package.json': manifest({}), Makefile: '.PHONY: test\ntest:\n\tnode --test test/\n' }, nodeTestPlant),
  setup('a shell script', 'none', ['./test.sh'], { ...nodeTest, 'package.json': manifest({}), 'test.sh': '#!/bin/sh\nset -e\ncd "$(dirname "$0")"\nexec node --test test/\n' }, nodeTestPlant),
  setup('options set by a script', 'small', ['npm', 'test'], { ...nodeTest, 'package.json': manifest({ test: 'cross-env NODE_OPTIONS=--no-warnings node --test test/' }) }, nodeTestPlant),
  setup('node --run', 'none', ['node', '--run', 'test'], { ...nodeTest, 'package.json': manifest({ test: 'node --test' }) }, nodeTestPlant, { node: 'node24' }),
  setup('Node 22', 'none', ['node', '--test'], { ...nodeTest, 'package.json': manifest({}) }, nodeTestPlant, { node: 'node22' }),
  setup('Node 24', 'none', ['node', '--test'], { ...nodeTest, 'package.json': manifest({}) }, nodeTestPlant, { node: 'node24' }),
  setup('Node 26', 'none', ['node', '--test'], { ...nodeTest, 'package.json': manifest({}) }, nodeTestPlant, { node: 'node26' }),
  setup('a Node that is not first in PATH', 'none', ['./run'], { ...nodeTest, 'package.json': manifest({}), run: '#!/bin/sh\nexec NODE24 --test\n' }, nodeTestPlant),
  setup('a Node as nvm installs it', 'none', ['./run'], {
    ...nodeTest, 'package.json': manifest({ test: 'node --test test/' }),
    'install.sh': '#!/bin/sh\nset -e\nmkdir -p .nvm/versions/node/v24.0.0/bin\ncp NODE24 .nvm/versions/node/v24.0.0/bin/node\n',
    run: '#!/bin/sh\nPATH="$PATH:$PWD/.nvm/versions/node/v24.0.0/bin"\nexec "$PWD/.nvm/versions/node/v24.0.0/bin/node" --run test\n',
  }, nodeTestPlant, { prepare: [['./install.sh']], needs: 'node24' }),
  setup('type stripping', 'none', ['node', 'test/basket.test.ts'], {
    'package.json': manifest({}, { type: 'module' }),
    'src/basket.ts': basket(true, ''),
    'test/basket.test.ts': STYLES.assert("import { describe, it } from 'node:test';\nimport assert from 'node:assert';\nimport { Basket } from '../src/basket.ts';"),
  }, plant('test/basket.test.ts', 'src/basket.ts'), { node: 'node24' }),
  setup('playwright test', 'playwright', ['npx', 'playwright', 'test'], {
    'package.json': manifest({}),
    'playwright.config.js': "module.exports = { testDir: 'test' };\n",
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.spec.js': STYLES.expect(`const { expect, test } = require('@playwright/test');\n${COMMON}\nconst { describe } = test;`),
  }, plant('test/basket.spec.js', 'src/basket.js')),
  setup('a hook that fails in mocha', 'mocha', ['npx', 'mocha', 'test'], {
    'package.json': manifest({}),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': HOOK(`const assert = require('node:assert');\n${COMMON}`),
  }, nodeTestPlant),
  setup('a hook that fails in Jest', 'jest', ['npx', 'jest'], {
    'package.json': manifest({}),
    'src/basket.js': commonJs(basket(false, '')),
    'test/basket.test.js': HOOK(`const assert = require('node:assert');\n${COMMON}`).replace('before(', 'beforeAll('),
  }, nodeTestPlant),
  setup('a package linked into another', 'none', ['npm', 'test', '-w', 'till'], {
    'package.json': manifest({}, { name: 'mall', workspaces: ['packages/*'] }),
    'packages/shop/package.json': manifest({}, { main: 'src/basket.js' }),
    'packages/shop/src/basket.js': nodeTest['src/basket.js'],
    'packages/till/package.json': manifest({ test: 'node --test test/' }, { name: 'till', dependencies: { shop: '1.0.0' } }),
    'packages/till/test/basket.test.js': nodeTest['test/basket.test.js'].replace('../src/basket.js', 'shop'),
  }, plant('packages/till/test/basket.test.js', 'packages/shop/src/basket.js'), { prepare: [['npm', 'install', '--no-audit', '--no-fund', '--offline']] }),
  setup('env -i', 'none', ['./run'], { ...nodeTest, 'package.json': manifest({}), run: '#!/bin/sh\nexec env -i PATH="$PATH" node --test test/\n' }, nodeTestPlant),
  setup('pnpm -r', 'managers', ['npx', 'pnpm', '-r', 'test'], workspace({ 'pnpm-workspace.yaml': "packages: ['packages/*']\n" }), inPackage()),
  setup('yarn workspaces', 'managers', ['npx', 'yarn', 'workspaces', 'run', 'test'], workspace({}), inPackage()),
  setup('yarn PnP', 'berry', ['node', '../node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'test'], {
    ...nodeTest, 'package.json': manifest({ test: 'node --test test/' }), 'yarn.lock': '', '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\n',
  }, nodeTestPlant, { prepare: [['node', '../node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'install']] }),
  setup('yarn PnP with a dependency', 'berry', ['node', '../node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'test'], {
    ...nodeTest, 'package.json': manifest({ test: 'node --test test/' }, { dependencies: { chai: '4.5.0' } }),
    'test/basket.test.js': nodeTest['test/basket.test.js'].replace("require('node:assert')", "require('chai').assert"),
    'yarn.lock': '', '.yarnrc.yml': `nodeLinker: pnp\nenableTelemetry: false\nenableGlobalCache: false\nnpmRegistryServer: "${REGISTRY}"\n`,
  }, nodeTestPlant, { prepare: [['node', '../node_modules/@yarnpkg/cli-dist/bin/yarn.js', 'install']], libraries: CHAI }),
  setup('corepack', 'corepack', ['npx', 'corepack', 'pnpm', 'test'], {
    ...nodeTest, 'package.json': manifest({ test: 'node --test test/' }, { packageManager: 'pnpm@10.20.0' }),
  }, nodeTestPlant, {
    prepare: [['npx', 'corepack', 'pnpm', '--version']],
    env: { COREPACK_NPM_REGISTRY: REGISTRY, COREPACK_ENABLE_DOWNLOAD_PROMPT: '0', COREPACK_INTEGRITY_KEYS: '0' },
  }),
  setup('turbo', 'managers', ['npx', 'turbo', 'run', 'test', '--no-daemon', '--force'], workspace({ 'turbo.json': '{ "tasks": { "test": {} } }\n' }, 'npm@11.0.0'), inPackage()),
  setup('lerna', 'managers', ['npx', 'lerna', 'run', 'test'], workspace({ 'lerna.json': '{ "version": "1.0.0", "packages": ["packages/*"] }\n', 'nx.json': '{}\n' }), inPackage()),
  setup('nx', 'managers', ['npx', 'nx', 'run-many', '-t', 'test'], workspace({ 'nx.json': '{ "targetDefaults": { "test": {} }, "useDaemonProcess": false }\n' }), inPackage(), { env: { NX_DAEMON: 'false', NX_SKIP_NX_CACHE: 'true' } }),
];

function setup(name, install, command, files, plant, more = {}) {
  return { name, install, command, files, title: TITLE, ...plant, ...more };
}

function manifest(scripts, more = {}) {
  return `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, scripts, ...more }, null, 2)}\n`;
}

function plant(test, source) {
  return { failure: { file: test, text: String(WANTED) }, cause: { file: source, ...CAUSE } };
}

function workspace(files, packageManager = undefined) {
  return {
    'package.json': manifest({ test: 'echo none' }, { name: 'mall', workspaces: ['packages/*'], packageManager }),
    'packages/shop/package.json': manifest({ test: 'node --test test/' }),
    ...Object.fromEntries(Object.entries(nodeTest).map(([name, text]) => [`packages/shop/${name}`, text])),
    ...files,
  };
}

function inPackage() {
  return plant('packages/shop/test/basket.test.js', 'packages/shop/src/basket.js');
}
