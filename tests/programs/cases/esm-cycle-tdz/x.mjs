import { Base } from './main.mjs'; export class Derived extends Base {}
