'use strict';
const { granted } = require('./roles');

class Permissions {
  constructor() {
    this.rights = new Map();
  }

  grant(user, role) {
    const rights = this.rights.get(user) ?? new Set();
    for (const right of granted(role)) rights.add(right);
    this.rights.set(user, rights);
  }

  can(user, right) {
    const rights = this.rights.get(user);
    return rights !== undefined && rights.has(right);
  }
}

module.exports = { Permissions };
