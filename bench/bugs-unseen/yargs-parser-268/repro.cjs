'use strict';
const parse = require('yargs-parser');

const argv = parse(['--work-tree.max-depth', '3', '--work-tree.follow', 'no'], { alias: { 'work-tree': ['wt'] } });
const depth = argv.workTree.maxDepth;
if (depth !== 3) throw new Error('depth is ' + JSON.stringify(depth));
const follow = argv.workTree.follow;
if (follow !== 'no') throw new Error('follow is ' + JSON.stringify(follow));
console.log('ok');
