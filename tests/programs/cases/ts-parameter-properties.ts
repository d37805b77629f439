// expected
class Base { constructor(readonly name: string) {} }
class Derived extends Base {
  twice = this.n;
  constructor(private n: number, protected override readonly name: string = 'd', other?: number) { super(name); this.n += other ?? 0; }
}
abstract class Abstract<T> { abstract x: T; abstract m(): void; constructor(public y: T) { 'use strict'; } [key: string]: any; }
console.log(new Derived(1), new Derived(1, 'x', 2), new (class extends Abstract<number> { x = 1; m() {} })(3));
