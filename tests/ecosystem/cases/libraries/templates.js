const Handlebars = require('handlebars');
const ejs = require('ejs');
const pug = require('pug');
const mustache = require('mustache');
const nunjucks = require('nunjucks');

const data = { title: 'Pens & <books>', items: [{ name: 'pen', price: 4 }, { name: 'book', price: 30 }], none: [] };
Handlebars.registerHelper('loud', (text) => new Handlebars.SafeString(`<b>${Handlebars.escapeExpression(text)}</b>`));
Handlebars.registerPartial('row', '<li>{{name}}: {{price}}</li>');
console.log(Handlebars.compile('<h1>{{loud title}}</h1>{{#each items}}{{> row}}{{@index}}{{else}}none{{/each}}{{#if none}}x{{^}}y{{/if}}')(data));
console.log(Handlebars.precompile('{{#each items}}{{name}}{{/each}}'));
console.log(ejs.render('<h1><%= title %></h1><% for (const { name } of items) { %><%- name %>;<% } %>', data), ejs.compile('<%= a %>', { client: true }).toString());
console.log(pug.render('h1= title\nul\n  each item in items\n    li(class=item.name)= item.price\n  else\n    li none\n', data), pug.compileClient('p= x').length);
console.log(mustache.render('{{title}} {{{title}}} {{#items}}{{name}},{{/items}}{{^none}}nothing{{/none}}', data));
console.log(nunjucks.renderString('{% for i in items %}{{ loop.index }}:{{ i.name | upper }} {% endfor %}{{ title }}', data));
for (const make of [() => ejs.render('<% if (x { %>', data), () => ejs.render('line\n<%= nothing.here %>', data, { filename: 'page.ejs' }), () => pug.render('p= nothing.here'), () => Handlebars.compile('{{#each}')(data), () => Handlebars.compile('{{unknown 1}}')(data), () => nunjucks.renderString('{{ f() }}', data)]) {
  try { console.log(make()); } catch (error) { console.log(error.message); console.log(error.stack.replace(/\d+:\d+\)$/gm, (position) => position)); }
}
