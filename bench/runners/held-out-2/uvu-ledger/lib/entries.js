'use strict';
function parse(line) {
  const [date, kind, amount] = line.split(';').map((part) => part.trim());
  return { date, kind, amount: Number(amount) };
}

exports.parse = parse;
