import { describe, expect, it } from 'vitest';
import { parts } from '../src/path';
import { Tree } from '../src/tree';

describe('tree', () => {
  it('splits paths', () => {
    expect(parts('./a//b')).toEqual(['a', 'b']);
  });

  it('sums up sizes', () => {
    const tree = new Tree();
    tree.add('a.txt', 3);
    tree.add('b.txt', 4);
    expect(tree.root.size).toBe(7);
  });

  it('does not find what is not there', () => {
    expect(new Tree().find('a/b')).toBeUndefined();
  });

  it('counts in every folder', () => {
    const tree = new Tree();
    tree.add('src/lib/a.ts', 5);
    tree.add('src/main.ts', 9);
    tree.add('src/lib/b.ts', 7);
    expect(tree.find('src/lib')).toMatchObject({ size: 12, files: 2 });
  });
});
