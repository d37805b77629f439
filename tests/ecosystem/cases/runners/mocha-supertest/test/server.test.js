'use strict';
const http = require('node:http');
const request = require('supertest');

const app = http.createServer((req, res) => {
  if (req.url === '/boom') { res.statusCode = 500; return res.end('broken'); }
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ url: req.url, method: req.method }));
});

describe('server', () => {
  it('answers', () => request(app).get('/a').expect(200, { url: '/a', method: 'GET' }));
  it('fails on the status', () => request(app).get('/boom').expect(200));
  it('fails on the body', () => request(app).post('/b').send({ x: 1 }).expect({ url: '/c', method: 'POST' }));
});
