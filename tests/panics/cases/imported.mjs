export const one = 1;
export default function two() { return 2; }
console.log('imported', two(), import.meta.url.endsWith('imported.mjs'));
