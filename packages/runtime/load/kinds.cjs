// How a text will be compiled, and whether it is still TypeScript; the numbers are those of crates/node-addon/src/code.rs.
'use strict';
module.exports = { SCRIPT: 0, MODULE: 1, COMMONJS: 2, EVAL: 3, FUNCTION_BODY: 4, TYPESCRIPT: 8 };
