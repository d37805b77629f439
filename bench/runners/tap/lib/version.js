'use strict'

function parse (text) {
  const [major, minor, patch] = text.replace(/^v/, '').split('.')
  return { major: Number(major), minor: minor, patch: Number(patch), text }
}

function compare (a, b) {
  for (const part of ['major', 'minor', 'patch']) {
    if (a[part] > b[part]) return 1
    if (a[part] < b[part]) return -1
  }
  return 0
}

module.exports = { parse, compare }
