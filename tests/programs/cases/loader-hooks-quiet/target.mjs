export const counter = { n: 0 }; counter.n = 41;
