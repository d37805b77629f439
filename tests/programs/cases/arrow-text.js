// The text of arrow functions without a block.
// policies: all | needed properties=a | births | calls
const f = () => ({ a: 1 }), g = () => ({ 'a': 1 }), h = (x) => [{ a: x }], k = async (o) => (o.a = 1), l = o => o.a = 2, m = () => (() => ({ a: 3 }));
for (const x of [f, g, h, k, l, m, m()]) console.log(x.toString());
