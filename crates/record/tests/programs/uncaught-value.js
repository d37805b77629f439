'use strict';
function f() { throw { not: 'an error' }; }
f();
