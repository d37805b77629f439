'use strict';
exports.node = (name, ...children) => ({ name, children, size: undefined });

exports.leaf = (name, size) => ({ name, children: [], size });
