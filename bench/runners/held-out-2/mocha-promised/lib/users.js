'use strict';
const { once } = require('./cache');

const rows = { 1: { name: 'Ann', group: 'staff' }, 2: { name: 'Bob', group: 'guests' } };

exports.user = (id) => once('user', async () => ({ id, ...rows[id] }));

exports.greeting = async (id) => {
  const { name, group } = await exports.user(id);
  return group === 'staff' ? `Good morning, ${name}` : `Welcome, ${name}`;
};
