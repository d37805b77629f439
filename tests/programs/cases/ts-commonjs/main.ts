// expected
import path = require('path');
import helper = require('./helper');
import { named, Type } from './named';
const x: Type = { n: 1 };
console.log(path.basename("/a/b.ts"), helper.twice(2), named(x));
