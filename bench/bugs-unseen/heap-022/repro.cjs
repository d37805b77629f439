'use strict';
var Heap = require('heap');

var prices = [];
for (var i = 0; i < 40; i++) prices.push({ shop: 'shop' + i, cents: (i * 17) % 40 + 100 });
function cheaper(a, b) { return a.cents - b.cents; }

var best = Heap.nsmallest(prices, 3, cheaper);
for (var j = 1; j < best.length; j++) {
  if (cheaper(best[j - 1], best[j]) > 0) {
    throw new Error('out of order: ' + best.map(function (p) { return p.cents; }).join(' '));
  }
}
console.log('ok');
