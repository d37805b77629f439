const { Cart } = require('../cart');

describe('Cart', () => {
  it('adds up', () => expect(new Cart({ pen: 4 }).add('pen', 3).total()).toBe(12));
  it('matches', () => expect(new Cart({ pen: 4 })).toEqual(jasmine.objectContaining({ lines: [] })));
  it('spies', () => {
    const cart = new Cart({ pen: 4 });
    spyOn(cart, 'add').and.callThrough();
    cart.add('pen');
    expect(cart.add).toHaveBeenCalledWith('pen');
  });
  it('is async', async () => { await expectAsync(Promise.reject(new Error('no'))).toBeRejectedWithError('no'); });
  xit('is left out', () => {});
});
