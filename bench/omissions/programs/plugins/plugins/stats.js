'use strict';
module.exports = {
  name: 'stats',
  order: 20,
  setup({ command, hook, settings }) {
    const counts = {};
    const limit = settings.limits.default;
    hook('start', () => { counts.starts = (counts.starts ?? 0) + 1; });
    command('stats', () => Object.entries(counts).slice(0, limit).map(([k, n]) => `${k}=${n}`).join());
  },
};
