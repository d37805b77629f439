const offers = { A: 10 };
const lines = [{ price: 20, code: 'A' }, { price: 5 }, { price: 8, code: 'A' }];

function reduced(line) {
  const percent = offers[line.code];
  return line.price * (1 - percent / 100);
}

let total = 0;
for (const line of lines) total += reduced(line);
console.log(total);
