const archiver = require('archiver');
const debug = require('debug');
const dotenv = require('dotenv');
const fs = require('node:fs');
const git = require('isomorphic-git');

debug.enable('app:*,-app:quiet');
debug.formatArgs = function (args) { args[0] = `${this.namespace} ${args[0]}`; };
debug('app:main')('said %o and %d', { a: [1] }, 5);
debug('app:quiet')('never');
fs.writeFileSync('.env', 'A=1\nB="two words"\nC=${A}\n');
console.log(dotenv.config({ quiet: true }).parsed, process.env.B);
const archive = archiver('zip', { store: true });
archive.pipe(fs.createWriteStream('out.zip')).on('close', () => console.log('zip', archive.pointer()));
archive.append('text', { name: 'a.txt', date: new Date(0) });
archive.finalize();
(async () => {
  await git.init({ fs, dir: 'repo', defaultBranch: 'main' });
  fs.writeFileSync('repo/a.txt', 'a');
  await git.add({ fs, dir: 'repo', filepath: 'a.txt' });
  const author = { name: 'me', email: 'me@example.com', timestamp: 1700000000, timezoneOffset: 0 };
  console.log(await git.commit({ fs, dir: 'repo', author, message: 'first' }), (await git.log({ fs, dir: 'repo' })).map(({ commit }) => commit.message));
})();
