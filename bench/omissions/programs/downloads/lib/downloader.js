'use strict';
const { Pool } = require('./pool.js');
const { get } = require('./net.js');

class Downloader {
  constructor({ width = 2 } = {}) {
    this.pool = new Pool(width);
    this.results = new Map();
    this.failed = [];
    this.listeners = { page: [], idle: [] };
  }
  on(name, listener) {
    this.listeners[name].push(listener);
    return this;
  }
  tell(name, value) {
    for (const listener of this.listeners[name]) listener(value);
  }
  async fetch(url) {
    try {
      const page = await this.pool.run(() => get(url));
      this.results.set(url, page.body);
      this.tell('page', url);
    } catch (error) {
      this.failed.push({ url, message: error.message });
    }
  }
  async all(urls) {
    await Promise.all(urls.map((url) => this.fetch(url)));
    this.tell('idle');
  }
}
module.exports = { Downloader };
