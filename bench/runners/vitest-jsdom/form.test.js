import { expect, test } from 'vitest';
import { createForm } from './form.js';
import { problemsOf } from './rules.js';

function submit(form, values) {
  for (const [name, value] of Object.entries(values)) form.querySelector(`[name=${name}]`).value = value;
  form.dispatchEvent(new Event('submit'));
}

test('a form has its fields', () => {
  expect(createForm(['email', 'password']).querySelectorAll('input')).toHaveLength(2);
});

test('addresses have an @', () => {
  expect(problemsOf({ email: 'ann', password: 'secret123' })).toEqual({ email: 'not an address' });
});

test('a right form has no problem', () => {
  const form = createForm(['email']);
  submit(form, { email: 'ann@example.org' });
  expect(form.querySelector('.problem').textContent).toBe('');
});

test('short passwords are refused', () => {
  const form = createForm(['password']);
  submit(form, { password: 'abcd5' });
  expect(form.querySelector('.problem').textContent).toBe('too short');
});
