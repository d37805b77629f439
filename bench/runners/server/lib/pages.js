'use strict';
const assert = require('node:assert');
const sessions = require('./sessions');

function signIn(id, { user }) {
  const session = sessions.update(id, { user });
  return { status: 200, value: { visits: session.visits } };
}

function profile(id) {
  const session = sessions.find(id);
  assert.ok(session.user, 'nobody is signed in');
  return { status: 200, value: { user: session.user } };
}

function route(method, url, cookie, body) {
  const id = cookie?.split('=')[1];
  switch (`${method} ${url}`) {
    case 'POST /sessions': return { status: 201, value: { id: sessions.open() } };
    case 'POST /sign-in': return signIn(id, body);
    case 'GET /profile': return profile(id);
    default: return { status: 404, value: {} };
  }
}

module.exports = { route };
