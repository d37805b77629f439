const { price } = require('./shop.js');

process.exit(price('pen') - 1);
