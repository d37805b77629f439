require('./contract.js').contract('plus', (a, b) => a + b);
