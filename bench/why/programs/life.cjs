// The game of life on a torus, and what moves in it.
class Grid {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.cells = new Uint8Array(width * height);
  }

  static from(rows) {
    const grid = new Grid(rows[0].length, rows.length);
    rows.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) grid.set(x, y, row[x] === '#' ? 1 : 0);
    });
    return grid;
  }

  index(x, y) {
    const column = (x + this.width) % this.width;
    const row = (y + this.height) % this.height;
    return row * this.width + column;
  }

  get(x, y) { return this.cells[this.index(x, y)]; }

  set(x, y, alive) { this.cells[this.index(x, y)] = alive; }

  neighbours(x, y) {
    let n = 0;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        if (dx !== 0 || dy !== 0) n += this.get(x + dx, y + dy);
      }
    }
    return n;
  }

  next() {
    const grid = new Grid(this.width, this.height);
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        const n = this.neighbours(x, y);
        const lives = this.get(x, y) === 1 ? n === 2 || n === 3 : n === 3;
        grid.set(x, y, lives ? 1 : 0);
      }
    }
    return grid;
  }

  alive() {
    const found = [];
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) {
        if (this.get(x, y) === 1) found.push([x, y]);
      }
    }
    return found;
  }
}

function after(grid, generations) {
  let now = grid;
  for (let i = 0; i < generations; i++) now = now.next();
  return now;
}

function shifted(cells, dx, dy) {
  return cells.map(([x, y]) => [x + dx, y + dy]);
}

function text(cells) {
  return cells.map((cell) => cell.join(',')).sort().join(' ');
}

// checks
const glider = Grid.from(['.#......', '..#.....', '###.....', '........', '........', '........']);
const moved = after(glider, 4);
const expected = text(shifted(glider.alive(), 1, 1));
if (text(moved.alive()) !== expected) throw new Error(`${text(moved.alive())} instead of ${expected}`);
const blinker = after(Grid.from(['.....', '.....', '.###.', '.....', '.....']), 3);
if (text(blinker.alive()) !== '2,1 2,2 2,3') throw new Error(`blinker at ${text(blinker.alive())}`);
