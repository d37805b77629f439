'use strict';
const assert = require('assert');
const { load } = require('../lib/load');

const from = (text) => (callback) => setTimeout(callback, 2, null, text);

describe('load', () => {
  it('reads a host', (done) => {
    load(from('host=localhost'), (error, settings) => {
      if (error) return done(error);
      assert.equal(settings.host, 'localhost');
      done();
    });
  });

  it('hands errors on', (done) => {
    load((callback) => callback(new Error('gone')), (error) => {
      assert.equal(error.message, 'gone');
      done();
    });
  });

  it('wants a host', (done) => {
    load(from('port=7777'), (error) => {
      assert.match(error.message, /host/);
      done();
    });
  });

  it('reads a port', (done) => {
    load(from('host=localhost\nsecure=true\nport=1237'), (error, settings) => {
      if (error) return done(error);
      assert.deepEqual(settings, { host: 'localhost', port: 1237, secure: true });
      done();
    });
  });
});
