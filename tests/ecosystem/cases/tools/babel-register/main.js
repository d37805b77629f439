import { f } from './f';

console.log(f(2), f.toString());
f(null);
