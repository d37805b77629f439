'use strict';
var DepGraph = require('dependency-graph').DepGraph;

var modules = new DepGraph({ circular: true });
['main', 'util', 'parser', 'printer'].forEach(function (name) { modules.addNode(name, name + '.js'); });
modules.addDependency('main', 'util');
modules.addDependency('parser', 'printer');
modules.addDependency('printer', 'parser');

var order = modules.overallOrder();
if (order.length !== modules.size()) throw new Error('only ' + order.join(', ') + ' of ' + modules.size() + ' modules');
console.log('ok');
