// How a text will be compiled; the numbers are those of crates/node-addon/src/code.rs.
'use strict';
module.exports = { SCRIPT: 0, MODULE: 1, COMMONJS: 2, EVAL: 3, FUNCTION_BODY: 4 };
