'use strict';
const request = require('supertest');
const app = require('../lib/app');

describe('carts', () => {
  it('takes lines', async () => {
    await request(app).post('/carts/c0/lines').send({ sku: 'book', count: 1 }).expect(201);
  });

  it('sums up', async () => {
    await request(app).get('/carts/c0').expect(200, { id: 'c0', total: 20, currency: 'EUR' });
  });

  it('does not know everything', async () => {
    await request(app).post('/carts/c9/lines').send({ sku: 'sofa', count: 1 });
    await request(app).get('/carts/c9').expect(404);
  });

  it('gives a discount from ten on', async () => {
    await request(app).post('/carts/c1/lines').send({ sku: 'pen', count: 10 }).expect(201);
    await request(app)
      .get('/carts/c1')
      .expect(200, { id: 'c1', total: 45, currency: 'EUR' });
  });
});
