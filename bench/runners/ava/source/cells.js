export function splitCells(line) {
  const cells = [];
  let cell = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else {
      cell += character;
    }
  }
  cells.push(cell);
  if (cell === '') cells.pop();
  return cells;
}
