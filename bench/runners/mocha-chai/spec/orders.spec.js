const { expect } = require('chai');
const Orders = require('../lib/orders');
const Stock = require('../lib/stock');

describe('orders', function () {
  let stock, orders;

  beforeEach(function () {
    stock = new Stock();
    stock.receive('pen', 10);
    stock.receive('book', 2);
    orders = new Orders(stock);
  });

  it('reserves what is ordered', function () {
    orders.place([{ sku: 'pen', count: 4 }]);
    expect(stock.available('pen')).to.equal(6);
  });

  it('refuses what is not there', function () {
    expect(() => orders.place([{ sku: 'book', count: 3 }])).to.throw('only 2 of book');
  });

  it('gives back what was cancelled', function () {
    const id = orders.place([{ sku: 'pen', count: 3 }, { sku: 'book', count: 1 }]);
    orders.cancel(id);
    expect(stock.available('pen')).to.equal(10);
  });

  it('tells when an order is placed', function () {
    let told;
    orders.on('placed', (id) => { told = id; });
    orders.place([]);
    expect(told).to.equal(1);
  });
});
