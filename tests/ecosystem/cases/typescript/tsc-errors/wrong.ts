import { Cart } from './cart';

const cart: Cart = new Cart({ pen: '4' });
cart.add(5);
export const total: string = cart.total;
cart.lines = [];
let unknown = nothing;
