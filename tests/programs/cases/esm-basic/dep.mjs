export let live = 1;
export function bump() { live++; return live; }
export { live as renamed };
export default class {}
