const Bank = require('../src/bank');

describe('bank', () => {
  let bank;

  beforeEach(() => {
    bank = new Bank();
    bank.open('ann', 50);
    bank.open('bob');
  });

  it('opens accounts', () => {
    expect(bank.statement('ann').balance).toBe(50);
    expect(bank.statement('bob').lines).toEqual([]);
  });

  it('has no credit', () => {
    expect(() => bank.transfer('bob', 'ann', 1)).toThrowError('bob has 0');
  });

  it('books for the other one', () => {
    bank.transfer('ann', 'bob', 5);
    expect(bank.statement('bob').lines).toEqual(['from ann: 5']);
  });

  it('transfers', () => {
    bank.transfer('ann', 'bob', 20);
    expect(bank.statement('bob').balance).toBe(20);
    expect(bank.statement('ann').balance).toBe(30);
  });
});
