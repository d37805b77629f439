import assert from 'node:assert';
import { Cart } from '../cart.js';

describe('Cart', () => {
  it('adds up', () => assert.equal(new Cart({ pen: 4 }).add('pen').total(), 4));
  it('fails', () => assert.equal(new Cart({ pen: 4 }).add('pen').total(), 5));
  it('throws', () => new Cart({}).add('pen'));
});
