'use strict';
// People, and the ways to find them.
class Store {
  constructor() {
    this.people = new Map();
    this.byEmail = new Map();
    this.byTeam = new Map();
    this.n_changes = 0;
  }
  add(person) {
    this.people.set(person.id, person);
    this.byEmail.set(person.email.toLowerCase(), person.id);
    this.intoTeam(person);
    this.n_changes++;
  }
  intoTeam(person) {
    if (!person.team) return;
    let team = this.byTeam.get(person.team);
    if (!team) this.byTeam.set(person.team, (team = new Set()));
    team.add(person.id);
  }
  outOfTeam(person) {
    const team = this.byTeam.get(person.team);
    if (!team) return;
    team.delete(person.id);
    if (team.size === 0) this.byTeam.delete(person.team);
  }
  remove(id) {
    const person = this.people.get(id);
    if (!person) return false;
    this.people.delete(id);
    this.byEmail.delete(person.email.toLowerCase());
    this.outOfTeam(person);
    this.n_changes++;
    return true;
  }
  update(id, changes) {
    const person = this.people.get(id);
    if (!person) throw new Error(`nobody has the number ${id}`);
    if (changes.team !== undefined && changes.team !== person.team) {
      this.outOfTeam(person);
      person.team = changes.team;
      this.intoTeam(person);
    }
    if (changes.name) person.name = changes.name;
    if (changes.email) {
      person.email = changes.email;
    }
    this.n_changes++;
    return person;
  }
  find(email) {
    const id = this.byEmail.get(email.toLowerCase());
    return id === undefined ? undefined : this.people.get(id);
  }
}
module.exports = { Store };
