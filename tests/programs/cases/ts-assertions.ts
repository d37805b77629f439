// expected
function first(x: unknown) {
  return <
    string
  >x;
}
const plus = (a: number): 
  number => a as
  number
(console.log)('separate')
const later = async <
  T
>(x: T): Promise<
  T> => x satisfies T
;[1].forEach((x) => console.log(x as number))
class Fields { a = 1 as number
  ['b'] = 2; get: number
  foo() { return this.get } accessor c: string = 'c'; static accessor d = 4; declare ghost: number; optional?: string; definite!: number }
function thisTyped(this: { n: number }, x?: number): asserts x is number { console.log(this.n, x!) }
thisTyped.call({ n: 1 }, 2);
const fields = new Fields();
fields.c += '!';
console.log(first('x'), plus(2), fields, fields.c, Fields.d, 'ghost' in fields, 'optional' in fields);
let généré: /* é */ string = 'é', x = new Error('column'); console.log(/ts-assertions\.ts:(\d+:\d+)/.exec(x.stack!)![1]);
later(3).then((x) => console.log(x));
