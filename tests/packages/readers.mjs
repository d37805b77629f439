// What a framework printed → Map from the test's full name to 'pass', 'fail' or 'skip'. Repeated names are numbered.
export const readers = { tap, mocha, jest: jestLike, vitest: jestLike };

function tap(text) {
  const tests = collector();
  const path = [];
  for (const line of text.split('\n')) {
    const subtest = /^( *)# Subtest: (.*)$/.exec(line);
    if (subtest) { path.length = subtest[1].length / 4; path.push(subtest[2]); continue; }
    const comment = /^# (?!tests |pass |fail |ok$)(.*)$/.exec(line);
    if (comment) { path.length = 0; path.push(comment[1]); continue; }
    const point = /^( *)(not )?ok \d+ ?(?:- )?(.*)$/.exec(line);
    if (!point) continue;
    const name = point[3].replace(/ # .*$/, '');
    const parents = path.slice(0, point[1].length / 4 + 1).filter((p) => p !== name);
    tests.add([...parents, stable(name)].join(' › '), / # (SKIP|TODO)/i.test(point[3]) ? 'skip' : point[2] ? 'fail' : 'pass');
  }
  return tests.map;
}

function mocha(text) {
  const tests = collector();
  const report = json(text);
  for (const [list, verdict] of [['passes', 'pass'], ['failures', 'fail'], ['pending', 'skip']]) for (const t of report[list] ?? []) tests.add(stable(t.fullTitle), verdict);
  return tests.map;
}

function jestLike(text) {
  const tests = collector();
  for (const file of json(text).testResults ?? []) {
    const name = file.name.split('/').slice(-2).join('/');
    if (file.assertionResults.length === 0) tests.add(name, file.status === 'failed' ? 'fail' : 'pass');
    for (const t of file.assertionResults) tests.add(`${name} › ${stable(t.fullName)}`, { passed: 'pass', failed: 'fail' }[t.status] ?? 'skip');
  }
  return tests.map;
}

function json(text) {
  const start = text.indexOf('{');
  try { return JSON.parse(text.slice(start, text.lastIndexOf('}') + 1)); } catch { return {}; }
}

// Names may carry paths of temporary folders, ports and times.
function stable(name) {
  return name.replace(/\/[^\s]*\/tests\/packages\/work\//g, '').replace(/\d+(\.\d+)?ms/g, 'ms').replace(/localhost:\d+|127\.0\.0\.1:\d+/g, 'host');
}

function collector() {
  const map = new Map();
  return { map, add(name, verdict) { let n = 1, key = name; while (map.has(key)) key = `${name} #${++n}`; map.set(key, verdict); } };
}
