'use strict';
const { Store } = require('./store.js');

let lastId = 0;
function createService() {
  const store = new Store();
  const audit = [];
  function told(what, person) {
    audit.push({ what, id: person.id, email: person.email });
    return person;
  }
  return {
    store,
    audit,
    signUp({ name, email, team }) {
      if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`not an address: ${email}`);
      if (store.find(email)) throw new Error(`taken: ${email}`);
      const person = { id: ++lastId, name, email, team: team ?? null, since: lastId * 10 };
      store.add(person);
      return told('signed up', person);
    },
    change(id, changes) {
      return told('changed', store.update(id, changes));
    },
    leave(id) {
      const person = store.people.get(id);
      if (store.remove(id)) told('left', person);
    },
    signIn(email) {
      const person = store.find(email);
      if (!person) return { ok: false, reason: 'unknown address' };
      person.seen = (person.seen ?? 0) + 1;
      return { ok: true, person };
    },
  };
}
module.exports = { createService };
