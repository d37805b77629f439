import second = require('./second.js');
const helper = { twice: (n: number): number => second.multiply(n, 2) };
namespace helper { export type T = 1 }
export = helper;
