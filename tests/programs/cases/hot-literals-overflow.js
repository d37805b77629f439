// Where the stack overflows in a literal that is made often, no frame of the recorder is shown.
// policies: all | needed properties=a,n | needed elements
'use strict';
Error.stackTraceLimit = 6;
const make = (n) => ({ a: n, list: [n], inner: { n } });
for (let i = 0; i < 300; i++) make(i);
function deep(n) {
  const made = make(n);
  deep(n + 1);
  return made;
}
let n = 0;
const others = new Set();
for (let i = 0; i < 60; i++) {
  try {
    deep(i);
  } catch (error) {
    n++;
    for (const line of error.stack.split('\n').slice(1)) if (!line.includes(__filename)) others.add(line);
  }
}
console.log(n, others);
