'use strict'
const t = require('tap')
const { newest, satisfies } = require('../lib/range.js')
const { compare, parse } = require('../lib/version.js')

t.test('parse', (t) => {
  t.equal(parse('v1.2.3').patch, 3)
  t.end()
})

t.test('compare', (t) => {
  t.equal(compare(parse('2.0.0'), parse('1.9.9')), 1)
  t.equal(compare(parse('1.1.1'), parse('1.1.1')), 0)
  t.end()
})

t.test('satisfies', (t) => {
  t.ok(satisfies(parse('1.2.9'), '~1.2.3'))
  t.notOk(satisfies(parse('2.0.0'), '^1.2.3'))
  t.end()
})

t.test('newest', (t) => {
  t.equal(newest([], '^1.0.0'), undefined)
  t.equal(newest(['1.9.0', '1.10.2', '1.10.0'], '^1.0.0'), '1.10.2')
  t.end()
})
