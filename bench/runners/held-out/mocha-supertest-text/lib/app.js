const express = require('express');
const render = require('./render');

const pages = {
  about: { title: 'About us' },
  menu: { title: 'Fish & chips' },
};

const app = express();

app.get('/:page', function (req, res) {
  const page = pages[req.params.page];
  if (!page) return res.status(404).send(render('missing'));
  res.send(render('page', page));
});

module.exports = app;
