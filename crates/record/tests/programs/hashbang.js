#!/usr/bin/env node
'use strict';
console.log(this === module.exports, (function () { return this; })(), arguments.length, __filename.split('/').pop());
return;
