const request = require('supertest');
const app = require('../lib/app');

describe('pages', function () {
  it('shows a page', function (done) {
    request(app).get('/about').expect(200, '<h1>About us</h1>', done);
  });

  it('says what is not there', function (done) {
    request(app).get('/shop').expect(404, done);
  });

  it('escapes titles', function (done) {
    request(app)
      .get('/menu')
      .expect('Content-Type', /html/)
      .expect(200, '<h1>Fish &amp; chips</h1>', done);
  });
});
