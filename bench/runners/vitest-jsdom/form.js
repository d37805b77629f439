import { problemsOf } from './rules.js';

export function createForm(fields) {
  const form = document.createElement('form');
  for (const name of fields) {
    const input = document.createElement('input');
    input.name = name;
    const problem = document.createElement('span');
    problem.className = `problem ${name}`;
    form.append(input, problem);
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show(form, problemsOf(valuesOf(form)));
  });
  return form;
}

function valuesOf(form) {
  const values = {};
  for (const input of form.querySelectorAll('input')) values[input.name] = input.value;
  return values;
}

function show(form, problems) {
  for (const element of form.querySelectorAll('.problem')) {
    const [, name] = element.className.split(' ');
    element.textContent = problems[name] ?? '';
  }
}
