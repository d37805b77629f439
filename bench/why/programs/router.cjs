// Requests go through middleware to the handler of their path.
const assert = require('node:assert');

function compile(pattern) {
  return pattern.split('/').filter(Boolean).map((part) => {
    if (part[0] === ':') return { kind: 'parameter', name: part.slice(1) };
    if (part === '*') return { kind: 'rest' };
    return { kind: 'fixed', text: part };
  });
}

function match(parts, path) {
  const words = path.split('/').filter(Boolean);
  const parameters = {};
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part.kind === 'rest') {
      parameters.rest = words.slice(i).join('/');
      return parameters;
    }
    if (words[i] === undefined) return null;
    if (part.kind === 'parameter') parameters[part.name] = decodeURIComponent(words[i]);
    else if (part.text !== words[i]) return null;
  }
  return words.length === parts.length ? parameters : null;
}

class Router {
  constructor() {
    this.routes = [];
    this.before = [];
  }

  use(middleware) { this.before.push(middleware); }

  on(method, pattern, handler) {
    this.routes.push({ method, parts: compile(pattern), handler });
  }

  handle(request) {
    const response = { status: 200, headers: {}, body: '' };
    let at = 0;
    const next = () => {
      const middleware = this.before[at++];
      if (middleware) middleware(request, response, next);
      else this.dispatch(request, response);
    };
    next();
    return response;
  }

  dispatch(request, response) {
    for (const { method, parts, handler } of this.routes) {
      if (method !== request.method) continue;
      const parameters = match(parts, request.path);
      if (parameters === null) continue;
      request.parameters = parameters;
      handler(request, response);
      return;
    }
    response.status = 404;
  }
}

function makeApp(users) {
  const app = new Router();
  app.use((request, response, next) => {
    request.user = users[request.token];
    next();
    response.headers.length = response.body.length;
  });
  app.use((request, response, next) => {
    if (request.user === undefined && request.path.startsWith('/users')) response.status = 401;
    else next();
  });
  app.on('GET', '/users/:id/name', (request, response) => { response.body = `${request.parameters.id} asked by ${request.user.name}`; });
  app.on('GET', '/files/*', (request, response) => { response.body = request.parameters.rest; });
  app.on('POST', '/users', (request, response) => { response.status = 201; });
  return app;
}

// checks
const app = makeApp({ t1: { name: 'ann' } });
const named = app.handle({ method: 'GET', path: '/users/b%20b/name', token: 't1' });
assert.strictEqual(named.body, 'b b asked by ann');
assert.strictEqual(named.headers.length, 16);
assert.strictEqual(app.handle({ method: 'GET', path: '/files/a/b.txt' }).body, 'a/b.txt');
assert.deepStrictEqual(['/users', '/users/1', '/nothing'].map((path) => app.handle({ method: 'POST', path, token: 't1' }).status), [201, 404, 404]);
assert.strictEqual(app.handle({ method: 'GET', path: '/users/1/name' }).status, 401);
