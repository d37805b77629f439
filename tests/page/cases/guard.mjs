// Who may ask, and what.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';

const PROGRAM = 'const secret = { word: "hidden" };\nconsole.log(secret.word);\n';

export const cases = {
  async 'only the page with the token may ask, on loopback'({ project, page }) {
    project.write('app.js', PROGRAM);
    project.record('node', 'app.js');
    const url = new URL(await project.open());
    const token = url.searchParams.get('token');
    const port = Number(url.port);
    const cookie = `wherefore-${port}=${token}`;
    const ours = { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json', cookie };
    const ask = JSON.stringify({ question: { kind: 'state' } });
    const status = async (headers, path = '/api/ask', method = 'POST', body = ask) => (await request(port, method, path, headers, body)).status;

    assert.equal(await status(ours), 200);
    const without = (name) => Object.fromEntries(Object.entries(ours).filter(([key]) => key !== name));
    assert.equal(await status(without('cookie')), 401);
    assert.equal(await status({ ...ours, cookie: `wherefore-${port}=${'0'.repeat(48)}` }), 401);
    assert.equal(await status(without('origin')), 403);
    assert.equal(await status({ ...ours, origin: 'http://evil.example' }), 403);
    assert.equal(await status({ ...ours, origin: 'null' }), 403);
    assert.equal(await status({ ...ours, origin: `http://127.0.0.1:${port + 1}` }), 403);
    // A name that somebody made to lead to loopback.
    assert.equal(await status({ ...ours, host: `evil.example:${port}` }), 421);
    assert.equal(await status({ ...ours, host: `evil.example:${port}` }, '/', 'GET', ''), 421);
    // A form of another page cannot send JSON.
    assert.equal(await status({ ...ours, 'content-type': 'text/plain' }), 415);
    for (const path of ['/', '/page.js', '/api/runs', '/api/runs/1/chain']) {
      assert.equal(await status({ host: ours.host }, path, 'GET', ''), 401, path);
    }
    const wrong = await request(port, 'GET', `/?token=${'0'.repeat(48)}`, { host: ours.host }, '');
    assert.equal(wrong.status, 401);
    const right = await request(port, 'GET', `/?token=${token}&at=end`, { host: ours.host }, '');
    assert.deepEqual([right.status, right.headers.location], [303, '/?at=end']);
    assert.match(right.headers['set-cookie'][0], /HttpOnly; SameSite=Strict/);

    // Nothing outside of the run and of the page is served.
    for (const path of ['/../Cargo.toml', '/..%2f..%2fetc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/app.js', '//etc/passwd']) {
      const got = await request(port, 'GET', path, ours, '');
      assert.ok([400, 404].includes(got.status) && !got.body.includes('root:') && !got.body.includes('hidden'), `${path}: ${got.status}`);
    }
    for (const file of ['/etc/passwd', '../../../../etc/passwd', '.wherefore/runs/1/run.txt']) {
      const got = await request(port, 'POST', '/api/ask', ours, JSON.stringify({ question: { kind: 'source', file } }));
      assert.ok(got.status !== 200 && !got.body.includes('root:'), file);
    }
    for (const run of ['..', '/tmp', '1/../1', '%2e%2e']) {
      assert.notEqual(await status(ours, '/api/ask', 'POST', JSON.stringify({ run, question: { kind: 'state' } })), 200, run);
      assert.notEqual(await status(ours, `/api/runs/${encodeURIComponent(run)}/chain`, 'GET', ''), 200, run);
    }
    assert.equal(await status({ ...ours, 'if-match': '"0"' }, '/api/runs/1/chain', 'PUT', 'x'.repeat(5 << 20)), 413);

    // It is not to be reached from another machine.
    const others = Object.values(os.networkInterfaces()).flat().filter((one) => !one.internal && one.family === 'IPv4');
    for (const { address } of others) assert.equal(await connects(address, port), false, `answers on ${address}`);

    // A page of another origin gets nothing, though the browser has the cookie.
    await page.goto(url.href);
    const other = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>other</p>'));
    await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${other.address().port}/`);
    const stolen = await page.evaluate(async ([target, body]) => {
      const get = await fetch(`${target}/api/runs`, { credentials: 'include' }).then((r) => r.text(), () => 'refused');
      const post = await fetch(`${target}/api/ask`, { method: 'POST', credentials: 'include', body }).then((r) => r.text(), () => 'refused');
      return [get, post];
    }, [`http://127.0.0.1:${port}`, ask]);
    assert.deepEqual(stolen, ['refused', 'refused']);
    other.close();
  },
};

function request(port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, method, path, headers, setHost: false, agent: false }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }));
    });
    // Who refuses a body does not read all of it: its connection may fail when the answer is here already, and the request no longer listens.
    sent.on('socket', (socket) => socket.on('error', () => {}));
    sent.on('error', (error) => (error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve({ status: 413, headers: {}, body: '' }) : reject(error)));
    sent.end(body);
  });
}

function connects(address, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: address, port, timeout: 1000 });
    const done = (result) => (socket.destroy(), resolve(result));
    socket.on('connect', () => done(true)).on('error', () => done(false)).on('timeout', () => done(false));
  });
}
