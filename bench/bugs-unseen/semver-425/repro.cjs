'use strict';
const semver = require('semver');

const released = new semver.SemVer('1.4.2');
const candidates = ['patch', 'minor', 'major'].map((kind) => ({ kind, version: semver.inc(released, kind) }));

const minor = candidates.find((c) => c.kind === 'minor').version;
if (released.version !== '1.4.2') throw new Error(`the released version became ${released.version} (minor would be ${minor})`);
console.log('ok', minor);
