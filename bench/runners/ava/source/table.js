import { splitCells } from './cells.js';
import { toRecord } from './record.js';

export function readTable(text) {
  const [head, ...lines] = text.split('\n').filter((line) => line !== '');
  const names = splitCells(head);
  return lines.map((line) => toRecord(names, splitCells(line)));
}

export function column(table, name) {
  return table.map((record) => record[name]);
}
