'use strict';
// An exception that nobody catches: Node prints a line of the source, carets and the stack.
function inner(list) {
	const { price } = list[2]; return price * 2;
}
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => inner([{ price: 1 }, { price: 2 }]), 1);
