'use strict';
// One entry of a form. A subclass says what it accepts.
class Field {
  constructor(name, { required = false, label = name } = {}) {
    this.name = name;
    this.label = label;
    this.required = required;
    this.value = undefined;
    this.errors = new Set();
  }
  set(value) {
    this.value = this.clean(value);
    return this;
  }
  clean(value) {
    return typeof value === 'string' ? value.trim() : value;
  }
  isEmpty() {
    return this.value === undefined || this.value === null || this.value === '';
  }
  check() {
    this.errors.clear();
    if (this.required && this.isEmpty()) this.errors.add(`${this.label} is missing`);
    else if (!this.isEmpty()) this.checkValue();
    return this.errors.size === 0;
  }
  checkValue() {}
}
module.exports = { Field };
