import './x.mjs'; export class Base {} export default 1;
