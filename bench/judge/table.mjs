// The columns of the paper's Table 1.

/** `groups`: a title and its cases each; a case has calls, trusted, and the answers by strategy. */
export function printTable(groups, strategies) {
  const [first, ...others] = strategies;
  const rows = [
    ['program', 'cases', 'calls', 'trusted', ...strategies, ...strategies.map((name) => `${name} %`), ...others.map((name) => `${name} saves %`)],
    ...groups.map(([title, cases]) => row(title, cases, first, others)),
    row('all', groups.flatMap(([, cases]) => cases), first, others),
  ];
  const widths = rows[0].map((_, i) => Math.max(...rows.map((cells) => cells[i].length)));
  rows.splice(1, 0, widths.map((width) => '-'.repeat(width)));
  for (const cells of rows) console.log(`| ${cells.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`);
}

export function average(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function row(title, cases, first, others) {
  const mean = (of) => average(cases.map(of));
  const answers = [first, ...others].map((name) => mean((one) => one.answers[name]));
  const untrusted = mean((one) => one.calls - one.trusted);
  return [
    title,
    String(cases.length),
    mean((one) => one.calls).toFixed(1),
    mean((one) => one.trusted).toFixed(1),
    ...answers.map((n) => n.toFixed(2)),
    ...answers.map((n) => percent(n / untrusted)),
    ...answers.slice(1).map((n) => percent(1 - n / answers[0])),
  ];
}

function percent(ratio) {
  return (ratio * 100).toFixed(0);
}
