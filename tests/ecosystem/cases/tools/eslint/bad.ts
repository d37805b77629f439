export function g(x: any): Function {
  let never = 1;
  return x!;
}
enum E { A }
