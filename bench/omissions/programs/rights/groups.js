'use strict';
// Groups have members and may contain groups.
export class Group {
  constructor(name) {
    this.name = name;
    this.members = new Set();
    this.parts = [];
    this.rights = new Set();
  }
  contain(...groups) {
    this.parts.push(...groups);
    return this;
  }
  allow(...rights) {
    for (const right of rights) this.rights.add(right);
    return this;
  }
}

export class Directory {
  constructor() {
    this.groups = new Map();
    this.people = new Map();
  }
  group(name) {
    let group = this.groups.get(name);
    if (group === undefined) {
      group = new Group(name);
      this.groups.set(name, group);
    }
    return group;
  }
  person(name) {
    let person = this.people.get(name);
    if (person === undefined) {
      person = { name, rights: new Set(), groups: [] };
      this.people.set(name, person);
    }
    return person;
  }
  join(name, ...groups) {
    const person = this.person(name);
    for (const each of groups) {
      const group = this.group(each);
      group.members.add(name);
      person.groups.push(group);
    }
    return person;
  }
}
