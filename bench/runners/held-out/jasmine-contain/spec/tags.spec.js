const Index = require('../src/index');
const normal = require('../src/normal');

describe('tags', () => {
  let index;

  beforeEach(() => {
    index = new Index();
    index.add('tomato', ['soup', 'red']);
    index.add('greek', ['salad', 'cold dish']);
    index.add('caesar', ['salad']);
  });

  it('join words', () => {
    expect(normal(' cold  dish ')).toBe('cold-dish');
  });

  it('find what has them', async () => {
    expect(index.tagged('salad')).toEqual(['caesar', 'greek']);
  });

  it('find nothing', () => {
    expect(index.tagged('cake')).toEqual([]);
  });

  it('are the same in capitals', () => {
    expect(index.tagged('Salad')).toContain('greek');
  });
});
