'use strict';
const express = require('express');
const carts = require('./carts');

const app = express();
app.use(express.json());

app.post('/carts/:id/lines', (req, res) => {
  const { sku, count } = req.body;
  res.status(201).json(carts.add(req.params.id, sku, count));
});

app.get('/carts/:id', (req, res) => {
  res.json(carts.summary(req.params.id));
});

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.message });
});

module.exports = app;
