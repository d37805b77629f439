import { Cart, Kind, type Line } from './cart';

function shown({ name, count }: Line): string {
  return `${count} × ${name}`;
}

const cart = new Cart({ pen: 4, book: 30 });
cart.add('pen', 2).add('book');
console.log(cart.lines.map(shown).join(', '), cart.total, Kind[Kind.Card], Kind);
console.log(cart);
try {
  cart.add('car');
} catch (error) {
  console.log((error as Error).stack);
}
async function later(): Promise<void> {
  await null;
  const none: Cart | undefined = JSON.parse('{}').cart;
  console.log(none!.total);
}
later();
