export class A { #x = 1; static y = [...'abc']; async *g() { yield* this?.#x ?? 2; } get [`k${1}`]() { return super.toString(); } }
export const f = async ({ a = 1, ...rest }) => { for await (const x of rest.b) if (x ** 2) return `${x}`; };
