'use strict';
module.exports = {
  name: 'core',
  order: 1,
  setup({ command, hook }) {
    command('help', (app) => [...app.registry.commands.keys()].join(' '), 'lists commands');
    command('version', () => '1.4.0');
    hook('start', (app) => { app.startedAt = app.clock(); });
  },
};
