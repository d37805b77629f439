'use strict';
const { Catalogue } = require('./catalogue.js');
const { announce } = require('./sale.js');

const catalogue = new Catalogue();
catalogue.add(1, 'lamp', 'light').price = 40;
catalogue.add(2, 'desk', 'wood').price = 120;
catalogue.add(3, 'chair', 'wood', 'sale').price = 60;
catalogue.retag(1, 'light', 'sale');
const onSale = catalogue.indexed('sale');
const reduced = announce(catalogue, 'sale', 10);
console.log(reduced.join());
if (onSale.size !== 2) throw new Error('the lamp is not on sale');
