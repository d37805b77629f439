const { open } = require('./shop.js');

open('till');
it('never runs', () => {});
