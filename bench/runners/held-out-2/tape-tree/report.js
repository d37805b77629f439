'use strict';
const { measure } = require('./measure');

exports.report = (tree) => {
  measure(tree);
  return tree.children.map((child) => ({ name: child.name, size: child.size }));
};
