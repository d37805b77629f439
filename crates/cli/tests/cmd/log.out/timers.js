function tick(n) {
  const now = n * 2;
  return now;
}
let n = 0;
const timer = setInterval(() => {
  tick(++n);
  if (n === 3) clearInterval(timer);
}, 20);
