class Tree { get size() { return this.size + 1; } } const t = new Tree(); console.log('start'); t.size;
