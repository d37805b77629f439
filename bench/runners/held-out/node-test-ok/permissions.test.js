'use strict';
const assert = require('node:assert');
const { beforeEach, test } = require('node:test');
const { Permissions } = require('./permissions');

let permissions;

beforeEach(() => {
  permissions = new Permissions();
  permissions.grant('ann', 'chief');
  permissions.grant('bob', 'editor');
});

test('strangers may do nothing', () => {
  assert.equal(permissions.can('eve', 'read'), false);
});

test('readers read', () => {
  permissions.grant('cy', 'reader');
  assert.ok(permissions.can('cy', 'read'));
});

test('rights are inherited', () => {
  assert.ok(permissions.can('ann', 'write'));
  assert.ok(permissions.can('ann', 'read'));
});

test('editors remove', async (t) => {
  await t.test('their own', () => {
    const right = 'remove';
    assert.ok(
      permissions.can('bob', right),
    );
  });
});
