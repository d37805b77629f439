#!/usr/bin/env node
'use strict'; console.log((function () { return this; })()); const line = new Error().stack.split('\n')[1].replace(/.*[\\/]/, ''); console.log(line);
