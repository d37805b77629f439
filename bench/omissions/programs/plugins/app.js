'use strict';
const { createRegistry } = require('./registry.js');

class App {
  constructor(plugins, settings) {
    this.messages = [];
    let ticks = 0;
    this.clock = () => ++ticks;
    this.registry = createRegistry({ warn: (text) => this.messages.push(text) });
    this.registry.load(plugins, settings);
  }
  start() {
    for (const f of this.registry.hooks.start) f(this);
    return this;
  }
  run(name, ...args) {
    const entry = this.registry.commands.get(name);
    if (entry === undefined) return { ok: false, text: `unknown command ${name}` };
    return { ok: true, text: entry.run(this, ...args) };
  }
  stop() {
    for (const f of this.registry.hooks.stop) f(this);
  }
}
module.exports = { App };
