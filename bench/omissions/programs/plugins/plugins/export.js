'use strict';
module.exports = {
  name: 'export',
  setup({ command, settings }) {
    const formats = settings.formats ?? ['json', 'csv'];
    for (const format of formats) {
      command(`export:${format}`, (app, rows) => (format === 'json' ? JSON.stringify(rows) : rows.map((r) => Object.values(r).join(',')).join('\n')));
    }
  },
};
