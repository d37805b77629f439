'use strict';
function measure(node) {
  if (node.children.length === 0) return node.size;
  node.size = node.children.slice(1).reduce((sum, child) => sum + measure(child), 0);
  return node.size;
}

exports.measure = measure;
