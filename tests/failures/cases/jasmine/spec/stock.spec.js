it('holds', () => expect(1).toBe(1));
it('is equal', () => {
  expect({ a: 1 }).toEqual({ a: 2 });
});
