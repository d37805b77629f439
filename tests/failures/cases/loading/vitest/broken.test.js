import { it } from 'vitest';
const worse = ;
