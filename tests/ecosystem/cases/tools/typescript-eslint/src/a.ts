async function later(): Promise<number> { return 1; }
export function f(items: string[]) {
  later();
  const x: any = JSON.parse('{}');
  return items.map((i) => `${x.a} ${{}} ${i}`).concat(x);
}
