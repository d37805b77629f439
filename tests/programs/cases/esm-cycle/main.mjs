import { a, readB } from './a.mjs'; console.log(a, readB());
