// expected
enum Color { Red, Green = 5, Blue, Text = 'text', Or = Red | Blue }
enum Color { Later = 10, Same = Later, Named = `${Text}s` }
const enum Small { A = -1, B }
declare enum Ghost { X }
console.log(Color, Small.A, Small['B'], Color[5], Color.Or);
function inside() { enum Local { X = 'x'.length, Y = X << 2 } return Local; }
console.log(inside());
try { throw new Error('here'); } catch (e) { console.log(/ts-enums\.ts:\d+:\d+/.exec((e as Error).stack!)![0]); }
