'use strict';
const PAGES = { '/a': 'alpha', '/b': 'beta', '/c': 'gamma', '/d': 'delta' };
function get(url, { slow = 1 } = {}) {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      if (url in PAGES) resolve({ status: 200, body: PAGES[url] });
      else reject(new Error(`404 ${url}`));
    }, slow);
  });
}
module.exports = { get };
