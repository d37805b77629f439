// expected
namespace Shapes.Round { export const pi: number = 3; export let count = 0; export function area(r: number) { count++; return pi * r * r } }
namespace Shapes.Round { export class Circle { constructor(public r: number) {} get area() { return area(this.r) } } }
namespace Shapes {
  const hidden = 'h';
  export namespace Deep { export const [a, { b = hidden }] = [1, {} as { b?: string }]; export enum E { P, Q } }
  export import R = Round;
  export type OnlyType = 1;
  export abstract class Shapes { static x = hidden; }
}
namespace Empty { export interface I { x: 1 } }
class Both { static n = 1 }
namespace Both { export const more = Both.n + 1; export let { changes = 1 } = {} as any; changes++ }
function call() { return call.times++ }
namespace call { export let times = 0 }
call(); call();
console.log(new Shapes.Round.Circle(2).area, Shapes.R.count, Shapes.Deep, Both.more, Both.changes, call.times);
console.log(Shapes.Shapes.x, Object.keys(Shapes), typeof (globalThis as any).Empty);
