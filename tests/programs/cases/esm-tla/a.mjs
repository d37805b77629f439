export const order = ['a1']; await null; order.push('a2');
