enum E { A, B }
console.log(E.A);
