const units = require('./units');
const { report } = require('./weather');

describe('weather', () => {
  it('has words', () => {
    expect(units.describe(-3)).toBe('frost');
    expect(units.describe(30)).toBe('warm');
  });

  it('freezes', () => {
    expect(units.celsius(32)).toBe(0);
  });

  it('does not know every place', async () => {
    await expect(report('Atlantis')).rejects.toThrow('no station in Atlantis');
  });

  it('reports', async () => {
    await expect(report('Oslo')).resolves.toEqual({ place: 'Oslo', celsius: 10, text: 'mild' });
  });
});
