'use strict';
const { Form } = require('./form.js');

const definition = [
  { name: 'name', required: true, label: 'Name', max: 10 },
  { name: 'age', kind: 'number', min: 18, label: 'Age' },
  { name: 'country', kind: 'choice', choices: ['at', 'ch', 'de'], required: true, label: 'Country' },
  { name: 'size', kind: 'choice', choices: ['s', 'm', 'l'], label: 'Size' },
];
const good = new Form(definition).fill({ name: 'Ann', age: '30', country: 'ch', size: 'm' });
if (!good.submit()) throw new Error(good.errors().join());

const bad = new Form(definition).fill({ name: '', age: '7', size: 'xl' });
bad.submit();
const errors = bad.field('country').errors;
console.log(bad.errors());
if (errors.size !== 1) throw new Error('a required country was left out, and nobody complained');
