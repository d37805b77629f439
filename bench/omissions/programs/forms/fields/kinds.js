'use strict';
const { Field } = require('./field.js');

class TextField extends Field {
  constructor(name, options = {}) {
    super(name, options);
    this.max = options.max ?? 40;
  }
  checkValue() {
    if (this.value.length > this.max) this.errors.add(`${this.label} is too long`);
  }
}

class NumberField extends Field {
  constructor(name, options = {}) {
    super(name, options);
    this.min = options.min ?? -Infinity;
    this.max = options.max ?? Infinity;
  }
  clean(value) {
    const text = super.clean(value);
    return text === '' || text === undefined ? undefined : Number(text);
  }
  checkValue() {
    if (Number.isNaN(this.value)) this.errors.add(`${this.label} is no number`);
    else if (this.value < this.min || this.value > this.max) this.errors.add(`${this.label} is out of range`);
  }
}

class ChoiceField extends Field {
  constructor(name, options) {
    super(name, options);
    this.choices = options.choices;
  }
  check() {
    this.errors.clear();
    if (!this.isEmpty() && !this.choices.includes(this.value)) this.errors.add(`${this.label}: ${this.value} is no choice`);
    return this.errors.size === 0;
  }
}

const KINDS = { text: TextField, number: NumberField, choice: ChoiceField };
function field({ kind = 'text', name, ...options }) {
  const Kind = KINDS[kind];
  if (!Kind) throw new Error(`no such kind of field: ${kind}`);
  return new Kind(name, options);
}
module.exports = { field, TextField, NumberField, ChoiceField };
