import { align, type Side } from './align.ts';

export interface Column {
  title: string;
  side: Side;
}

export class Table {
  private readonly lines: string[][] = [];

  constructor(private readonly columns: Column[]) {}

  add(...cells: unknown[]): this {
    this.lines.push(cells.map(String));
    return this;
  }

  render(): string[] {
    const widths = this.columns.map((column, n) => Math.max(column.title.length, ...this.lines.map((line) => line[n].length)));
    return this.lines.map((line) => line.map((cell, n) => align(cell, widths[n], this.columns[n].side)).join(' | '));
  }
}
