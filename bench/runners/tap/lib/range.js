'use strict'
const { compare, parse } = require('./version.js')

function satisfies (version, range) {
  const least = parse(range.slice(1))
  if (compare(version, least) < 0) return false
  if (range[0] === '^') return version.major === least.major
  return version.major === least.major && version.minor === least.minor
}

function newest (texts, range) {
  const fitting = texts.map(parse).filter((version) => satisfies(version, range))
  fitting.sort(compare)
  const last = fitting[fitting.length - 1]
  return last && last.text
}

module.exports = { satisfies, newest }
