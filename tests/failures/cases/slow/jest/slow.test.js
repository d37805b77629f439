it('never ends', () => new Promise(() => {}), 60);
it('compares', () => {
  expect('Timeout of 20ms exceeded').toBe('timed out');
});
