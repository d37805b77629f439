const { axis } = require('../src/axis');

describe('axis', () => {
  const draw = jest.fn();

  afterEach(() => draw.mockClear());

  test('has a frame', () => {
    axis({ from: 0, to: 4 }, draw);
    expect(draw).toHaveBeenLastCalledWith('frame', { from: 0, to: 4 });
  });

  test('has a line at its end', () => {
    axis({ from: 0, to: 10 }, draw);
    expect(draw).toHaveBeenCalledWith('line', { at: 10, label: '10' });
  });
});
