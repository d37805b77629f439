// A table of sales as text, read, grouped and summed up.
const assert = require('node:assert');

const SALES = `region,product,count,price
north,"tea, green",4,2.50
south,jam,10,4
north,jam,1,4.20
south,"tea, green",6,2.40
west,"cup ""blue""",2,7`;

function parseLine(line) {
  const fields = [];
  let field = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (isQuoted) {
      if (c === '"' && line[i + 1] === '"') {
        field += '"';
        i++;
      } else if (c === '"') isQuoted = false;
      else field += c;
    } else if (c === '"') isQuoted = true;
    else if (c === ',') {
      fields.push(field);
      field = '';
    } else field += c;
  }
  fields.push(field);
  return fields;
}

function parse(text) {
  const [head, ...lines] = text.split('\n');
  const names = parseLine(head);
  return lines.map((line) => {
    const fields = parseLine(line);
    return Object.fromEntries(names.map((name, i) => [name, fields[i]]));
  });
}

function typed(row) {
  return { ...row, count: Number(row.count), price: Number(row.price) };
}

function groupBy(rows, key) {
  const groups = {};
  for (const row of rows) {
    (groups[row[key]] ??= []).push(row);
  }
  return groups;
}

function summary(rows) {
  let count = 0;
  let value = 0;
  for (const row of rows) {
    count += row.count;
    value += row.count * row.price;
  }
  return { count, value, mean: value / count };
}

function report(text, key) {
  const groups = groupBy(parse(text).map(typed), key);
  const lines = Object.entries(groups).map(([name, rows]) => ({ name, ...summary(rows) }));
  lines.sort((a, b) => b.value - a.value);
  return lines.map(({ name, count, value }) => `${name}: ${count} for ${value.toFixed(2)}`);
}

// checks
assert.deepStrictEqual(report(SALES, 'region'), ['south: 16 for 54.40', 'north: 5 for 14.20', 'west: 2 for 14.00']);
assert.deepStrictEqual(report(SALES, 'product')[2], 'cup "blue": 2 for 14.00');
