import assert from 'node:assert';
import { describe, it } from 'node:test';
import { createMap } from '../src/map.js';
import { route } from '../src/route.js';

const map = createMap([['A', 'B', 1], ['B', 'C', 2], ['C', 'D', 3], ['A', 'D', 9], ['X', 'Y', 1]]);

describe('route', () => {
  it('stays where it is', () => {
    assert.deepStrictEqual(route(map, 'A', 'A'), { path: ['A'], cost: 0 });
  });

  it('does not come to an island', () => {
    assert.strictEqual(route(map, 'A', 'X'), undefined);
  });

  it('goes both ways', () => {
    assert.strictEqual(route(map, 'Y', 'X').cost, 1);
  });

  it('takes the cheapest way', () => {
    assert.deepStrictEqual(route(map, 'A', 'D'), { path: ['A', 'B', 'C', 'D'], cost: 6 });
  });
});
