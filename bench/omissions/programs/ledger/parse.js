'use strict';
// Lines of a bank statement: date;text;amount. Comments begin with #.
function* lines(text) {
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    yield line.trim();
  }
}

function amount(text) {
  const m = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!m) return null;
  const cents = Number(m[2]) * 100 + Number((m[3] ?? '0').padEnd(2, '0'));
  return m[1] ? -cents : cents;
}

function parse(text) {
  const entries = [];
  const problems = [];
  let n = 0;
  for (const line of lines(text)) {
    n++;
    if (line === '') break;
    const [date, what, value] = line.split(';');
    const cents = amount(value ?? '');
    if (cents === null) {
      problems.push({ n, line });
      continue;
    }
    entries.push({ date, what: what.trim(), cents });
  }
  return { entries, problems };
}
module.exports = { parse, amount };
