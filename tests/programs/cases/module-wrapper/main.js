// What tools put around modules (rewire) sees their variables.
const Module = require('module');
const [opening, closing] = Module.wrapper;
Module.wrapper[0] = `${opening}(function () { `;
Module.wrapper[1] = `\nexports.set = function (value) { secret = value; };\nexports.get = (name) => eval(name);\n})();${closing}`;
const unit = require('./unit.js');
Module.wrapper[0] = opening;
Module.wrapper[1] = closing;
unit.set(41);
console.log(unit.add(1), unit.get('secret'), typeof secret, unit.add.toString(), unit.get('add') === unit.add);
Module.wrapper = ['"use strict";' + opening, closing];
console.log(require('./sloppy.js'));
Module.wrapper = [opening, closing];
Module.wrap = (text) => `(function (exports, require, module) { const given = 5; ${text}\n})`;
console.log(require('./given.js'));
