// {"settings": "stop in\tCASES/stopped.js\nstop at site\t4\nstop at hit\t1\nevaluate\t1 + 1\n"}
const list = [1, 2, 3];
let sum = 0;
for (const n of list) sum += n;
console.log(sum);
