// Linear equations by elimination with pivots.
function copyOf(rows) {
  return rows.map((row) => row.slice());
}

function pivotRow(rows, column) {
  let best = column;
  for (let row = column + 1; row < rows.length; row++) {
    if (Math.abs(rows[row][column]) > Math.abs(rows[best][column])) best = row;
  }
  return best;
}

function swapRows(rows, a, b) {
  [rows[a], rows[b]] = [rows[b], rows[a]];
}

function eliminate(rows) {
  const n = rows.length;
  let sign = 1;
  for (let column = 0; column < n; column++) {
    const pivot = pivotRow(rows, column);
    if (pivot !== column) {
      swapRows(rows, pivot, column);
      sign = -sign;
    }
    for (let row = column + 1; row < n; row++) {
      const factor = rows[row][column] / rows[column][column];
      for (let k = column; k < rows[row].length; k++) rows[row][k] -= factor * rows[column][k];
    }
  }
  return sign;
}

function substitute(rows) {
  const n = rows.length;
  const solution = new Array(n).fill(0);
  for (let row = n - 1; row >= 0; row--) {
    let sum = rows[row][n];
    for (let k = row + 1; k < n; k++) sum -= rows[row][k] * solution[k];
    solution[row] = sum / rows[row][row];
  }
  return solution;
}

function solve(equations) {
  const rows = copyOf(equations);
  eliminate(rows);
  return substitute(rows).map((x) => Math.round(x * 1e6) / 1e6);
}

function determinant(rows) {
  const work = copyOf(rows);
  let product = eliminate(work);
  for (let i = 0; i < work.length; i++) product *= work[i][i];
  return Math.round(product);
}

function multiply(rows, vector) {
  return rows.map((row) => vector.reduce((sum, x, i) => sum + row[i] * x, 0));
}

// checks
const left = [[2, 1, -1], [-3, -1, 2], [-2, 1, 2]];
const solution = solve(left.map((row, i) => [...row, [8, -11, -3][i]]));
if (String(solution) !== '2,3,-1') throw new Error(`solved as ${solution}`);
if (determinant(left) !== -1) throw new Error(`determinant ${determinant(left)}`);
const again = multiply(left, solution);
if (again.some((x, i) => x !== [8, -11, -3][i])) throw new Error(`does not fit: ${again}`);
