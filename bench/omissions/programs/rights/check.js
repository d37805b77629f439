'use strict';
export class Denied extends Error {
  constructor(name, right) {
    super(`${name} may not ${right}`);
    this.name = 'Denied';
  }
}
export function may(directory, name, right) {
  const person = directory.people.get(name);
  return Boolean(person && person.rights.has(right));
}
export function demand(directory, name, right) {
  const person = directory.person(name);
  if (!may(directory, name, right)) throw new Denied(person.name, right);
  return person;
}
