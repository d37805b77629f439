#!/usr/bin/env node
'use strict';
const required = require('node:path');
exports.named = function named(n) { return n * 2; };
exports.where = __filename;
exports.isMain = require.main === module;
exports.required = required;
exports.fail = (o) => o.missing.part;
