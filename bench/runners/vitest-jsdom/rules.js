export const rules = [
  { name: 'email', test: (text) => text.includes('@'), problem: 'not an address' },
  { name: 'password', test: (text) => text.length >= 3, problem: 'too short' },
  { name: 'password', test: (text) => /\d/.test(text), problem: 'needs a digit' },
];

export function problemsOf(values) {
  const problems = {};
  for (const rule of rules) {
    if (problems[rule.name]) continue;
    if (!rule.test(values[rule.name] ?? '')) problems[rule.name] = rule.problem;
  }
  return problems;
}
