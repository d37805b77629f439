'use strict';
// Products, determinants and inverses of small matrices.

function rows(m) {
  return m.length;
}

function columns(m) {
  return m[0].length;
}

function zeros(n, k) {
  const m = [];
  for (let i = 0; i < n; i++) m.push(new Array(k).fill(0));
  return m;
}

function dot(a, b, row, column) {
  let sum = 0;
  for (let i = 0; i < columns(a); i++) sum += a[row][i] * b[i][column];
  return sum;
}

function multiply(a, b) {
  const m = zeros(rows(a), columns(b));
  for (let i = 0; i < rows(a); i++) {
    for (let j = 0; j < columns(b); j++) m[i][j] = dot(a, b, i, j);
  }
  return m;
}

function without(m, row, column) {
  const smaller = zeros(rows(m) - 1, columns(m) - 1);
  for (let i = 0; i < rows(smaller); i++) {
    for (let j = 0; j < columns(smaller); j++) smaller[i][j] = m[i < row ? i : i + 1][j < column ? j : j + 1];
  }
  return smaller;
}

function sign(row, column) {
  return (row + column) % 2 === 0 ? 1 : -1;
}

function determinant(m) {
  if (rows(m) === 1) return m[0][0];
  let sum = 0;
  for (let j = 0; j < columns(m); j++) sum += m[0][j] * cofactor(m, 0, j);
  return sum;
}

function cofactor(m, row, column) {
  return sign(row, column) * determinant(without(m, row, column));
}

function transpose(m) {
  const turned = zeros(columns(m), rows(m));
  for (let i = 0; i < rows(m); i++) {
    for (let j = 0; j < columns(m); j++) turned[j][i] = m[i][j];
  }
  return turned;
}

function cofactors(m) {
  const all = zeros(rows(m), columns(m));
  for (let i = 0; i < rows(m); i++) {
    for (let j = 0; j < columns(m); j++) all[i][j] = cofactor(m, i, j);
  }
  return all;
}

function scale(m, factor) {
  const scaled = zeros(rows(m), columns(m));
  for (let i = 0; i < rows(m); i++) {
    for (let j = 0; j < columns(m); j++) scaled[i][j] = m[i][j] * factor;
  }
  return scaled;
}

function inverse(m) {
  return scale(transpose(cofactors(m)), 1 / determinant(m));
}

function show(m) {
  let text = '';
  for (const row of m) text += `[${row.join(' ')}]`;
  return text;
}

function main(input) {
  const product = multiply(input.a, input.b);
  console.log('product', show(product));
  console.log('determinant', determinant(product));
  console.log('inverse', show(inverse(input.a)));
}

const INPUTS = {
  usual: { a: [[2, 4], [1, 3]], b: [[1, 2], [5, 4]] },
  small: { a: [[1, 0], [0, 1]], b: [[1, 0], [0, 1]] },
};

module.exports = { rows, columns, zeros, dot, multiply, without, sign, determinant, cofactor, transpose, cofactors, scale, inverse, show, main };
if (require.main === module) main(INPUTS[process.argv[2] ?? 'usual']);
