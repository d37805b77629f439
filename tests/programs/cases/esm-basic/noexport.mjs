import { nothing } from './dep.mjs';
