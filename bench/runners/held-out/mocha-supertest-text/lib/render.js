const escape = require('./escape');

const templates = {
  page: (page) => `<h1>${escape(page.title)}</h1>`,
  missing: () => '<h1>Not here</h1>',
};

module.exports = function render(name, data) {
  const template = templates[name];
  return template(data);
};
