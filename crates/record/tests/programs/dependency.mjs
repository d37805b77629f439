export const value = [1, 2, 3].map((x) => x * 2);
export default (a) => { return a; };
