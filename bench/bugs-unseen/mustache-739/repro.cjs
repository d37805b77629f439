'use strict';
const mustache = require('mustache');

const partials = {
  list: '<% #items %><% >item %><% /items %>',
  page: 'Cart of <% owner %>: <% >total %>',
  total: '<% sum %> EUR',
};
const text = mustache.render('<% title %> - <% >page %>', { title: 'Shop', owner: 'Ann', sum: 12 }, partials, ['<%', '%>']);
const sum = /(\d+) EUR/.exec(text);
if (Number(sum[1]) !== 12) throw new Error('wrong sum');
console.log('ok', text);
