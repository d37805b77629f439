'use strict';
const { field } = require('./fields/kinds.js');

class Form {
  constructor(definition) {
    this.fields = definition.map(field);
    this.submitted = false;
  }
  fill(values) {
    for (const one of this.fields) {
      if (one.name in values) one.set(values[one.name]);
    }
    return this;
  }
  submit() {
    let isValid = true;
    for (const one of this.fields) {
      if (!one.check()) isValid = false;
    }
    this.submitted = isValid;
    return isValid;
  }
  field(name) { return this.fields.find((one) => one.name === name); }
  errors() { return this.fields.flatMap((one) => [...one.errors]); }
}
module.exports = { Form };
