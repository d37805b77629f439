const acorn = require('acorn');
const esprima = require('esprima');
const { parse } = require('@babel/parser');
const yaml = require('js-yaml');
const { parse: csv } = require('csv-parse/sync');
const { parseString } = require('xml2js');
const semver = require('semver');

const source = require('node:fs').readFileSync(__filename, 'utf8');
console.log(JSON.stringify(acorn.parse(source, { ecmaVersion: 'latest' })).length, esprima.parseScript('var x = () => 1').body[0].type, parse('let a: number = <b>1', { plugins: ['typescript'] }).program.body.length);
for (const make of [() => acorn.parse('let 1', { ecmaVersion: 2022 }), () => esprima.parseScript('if ('), () => parse('a b'), () => yaml.load('a: [1, 2\nb: 3'), () => csv('a,b\n1,2,3')]) {
  try { make(); } catch (error) { console.log(error.name, error.message, error.pos ?? error.lineNumber ?? error.loc ?? ''); }
}
console.log(yaml.load('a: &x [1, 2.5, "t"]\nb: *x\nc: 2001-12-14\nd: |\n  text\n'), yaml.dump({ a: [{ b: null }], c: 'x: y' }), csv('a,b\n1,"x,y"\n', { columns: true }));
parseString('<a k="v"><b>1</b><b>2</b></a>', (error, result) => console.log(error, JSON.stringify(result)));
console.log(semver.satisfies('1.2.3-beta.1', '^1.2.0'), semver.maxSatisfying(['1.0.0', '1.5.2', '2.0.0'], '~1'), semver.sort(['2.0.0', '1.0.0-a', '1.0.0']), semver.coerce('v3.4 stuff').version, semver.inc('1.2.3', 'prerelease', 'rc'));
