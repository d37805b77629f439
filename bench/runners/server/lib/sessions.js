'use strict';

const sessions = new Map();
let last = 0;

function open() {
  const id = `s${++last}`;
  sessions.set(id, { id, user: null, visits: 0 });
  return id;
}

function find(id) {
  return sessions.get(id);
}

function update(id, changes) {
  const session = sessions.get(id);
  const now = { ...session, user: changes.name };
  now.visits = changes.visits ?? session.visits + 1;
  sessions.set(id, now);
  return now;
}

module.exports = { open, find, update };
