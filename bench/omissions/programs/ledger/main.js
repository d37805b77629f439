'use strict';
const { parse } = require('./parse.js');
const { Book } = require('./accounts.js');
const { money, table } = require('./format.js');

const statement = `# January
2024-01-02;Salary January;2100.00
2024-01-03;Landlord;-800
2024-01-05;Corner bakery;-4.5
2024-01-09;oops

# February
2024-02-02;Salary February;2100.00
2024-02-03;Landlord;-800
2024-02-07;Cinema;-12,00
`;
const { entries, problems } = parse(statement);
const book = new Book();
book.post(entries);
console.log(table(book));
for (const { n, line } of problems) console.log(`line ${n} was not understood: ${line}`);
const expected = 2 * 210000 - 2 * 80000 - 450 - 1200;
if (book.total() !== expected) throw new Error(`the book says ${money(book.total())}, the bank ${money(expected)}`);
