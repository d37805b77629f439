'use strict';
const { Downloader } = require('./lib/downloader.js');

const downloader = new Downloader({ width: 1 });
const seen = [];
downloader.on('page', (url) => {
  seen.push(url);
  if (url === '/b') {
    // The disk is busy for a moment.
    downloader.pool.pause();
    setTimeout(() => downloader.pool.resume(), 5);
  }
});
downloader.on('idle', () => console.log('all there'));

downloader.all(['/a', '/missing', '/b', '/c', '/d']);
setTimeout(() => {
  const { results } = downloader;
  console.log(seen.join(), downloader.failed.length);
  if (results.size !== 4) throw new Error(`only ${[...results.keys()].join()} came`);
}, 60);
