// flags: --experimental-strip-types --no-warnings
// node: >=22
// all is captured
interface Item { name: string; price: number }
type Cart = readonly Item[];
const total = (cart: Cart, tax?: number): number => cart.reduce((sum: number, { price }: Item) => sum + price, 0) * (tax! ?? 1);
class Shop<T extends Item> { private items: T[] = []; declare ghost: string; add(item: T): this { this.items.push(item); return this; } get cart(): Cart { return this.items as Cart; } }
console.log(total(new Shop<Item>().add({ name: 'a', price: 2 } satisfies Item).cart, 2), Object.keys(new Shop()));
function fail(x: unknown): never { throw new Error(`no ${x as string}`); }
try { fail('x' as any); } catch (e) { console.log((e as Error).stack!.split('\n').slice(0, 2).join('\n')); }
export {};
