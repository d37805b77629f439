'use strict';
const { App } = require('./app.js');
const plugins = ['core', 'export', 'stats'].map((name) => require(`./plugins/${name}.js`));

const settings = {
  disabled: ['colours'],
  export: { formats: ['json', 'csv', 'tsv'] },
  stats: { limit: 3 },
};
const app = new App(plugins, settings).start();
console.log(app.run('help').text);
const { commands } = app.registry;
const rows = [{ a: 1, b: 2 }, { a: 3, b: 4 }];
const answer = app.run('export:csv', rows);
if (!answer.ok) throw new Error(answer.text);
console.log(answer.text, commands.size);
app.stop();
