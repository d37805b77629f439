'use strict';
const immer = require('immer');
const produce = immer.default;

const state = { user: { name: 'ann', tags: ['a', 'b'] }, other: 1 };
const selectUser = (draft) => draft.user;

function show(user) {
  return user.name + ' ' + user.tags.length;
}

const user = produce(state, selectUser);
if (show(user) !== 'ann 2') throw new Error('wrong user');
console.log('ok');
