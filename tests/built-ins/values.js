const n = 7, x = -2.5, tiny = 1e-7, huge = 123456789012345680000, nothing = undefined, none = null, yes = true;
const text = 'The pen, the book; the 3 café \u{1f600} "x"\n', padded = '  42.50 €  ', hex = '0x1F', half = '\ud83d';
const numbers = [3, -1, 4.25, 0, -0, 1e21, NaN, 10, 9], words = ['pen', 'Book', '', 'ink', 'pen', 'Ünder'];
const order = { id: 'A-1', price: 12.345, count: 2, tags: ['new', 'sale'], 10: 'ten', 2: 'two', paid: false, note: null, gone: undefined };
const orders = [order, { id: 'B-2', price: 0.1, count: 30, tags: [] }, { id: 'C-3', price: -5, count: 0, tags: ['old'] }];
const stock = new Map([['pen', 3], ['book', 0], ['ink', -1]]), seen = new Set([3, 'pen', NaN]);
const deep = [1, [2, [3, [4]]], { a: [order] }], when = new Date(Date.UTC(2026, 10, 19, 20, 5, 7, 9)), empty = [];
class Point { constructor(x, y) { this.x = x; this.y = y; } }
const points = [new Point(1, 2), new Point(3, -4)];
