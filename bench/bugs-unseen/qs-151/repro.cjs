'use strict';
var qs = require('qs');

function byName(a, b) { return a.localeCompare(b); }

// a signature is made over the sorted query
var query = { z: '1', a: { y: '2', b: { x: '3', c: '4' } } };
var text = qs.stringify(query, { sort: byName, encode: false });
var expected = 'a[b][c]=4&a[b][x]=3&a[y]=2&z=1';
if (text !== expected) throw new Error('signed ' + text + ' instead of ' + expected);
console.log('ok');
