'use strict';
const merge = require('deepmerge');

const settings = { clone: true };
const defaults = { port: 80, tls: { on: false } };
const config = merge(defaults, { tls: { on: true } }, settings);
if (config.tls.on !== true || config.port !== 80) throw new Error('wrong configuration');

// the settings go into a file, so they have to be plain data
for (const name of Object.keys(settings)) {
  if (typeof settings[name] === 'function') throw new Error(`settings.${name} cannot be saved`);
}
console.log('ok');
