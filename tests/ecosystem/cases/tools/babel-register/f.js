export const f = (x) => {
  const { y } = { y: x };
  return y.toFixed(1);
};
