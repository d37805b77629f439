'use strict';
// Two inputs of one program: a run of the one gives hints, and the call graph is scored on a run of the other.
const express = require('express'), http = require('http');
const app = express();
app.set('etag', 'weak');
app.use(express.json());
app.use((req, res, next) => { req.seen = 1; next(); });
const router = express.Router();
router.get('/u/:id', (req, res) => res.json({ id: req.params.id, q: req.query, ok: true }));
router.post('/u', (req, res) => res.status(201).json({ got: req.body }));
router.get('/text', (req, res) => res.set('x-a', '1').type('txt').send('hello'));
router.get('/away', (req, res) => res.redirect('/text'));
router.get('/cookie', (req, res) => res.cookie('a', 'b').append('x-b', '2').sendStatus(204));
router.get('/accepts', (req, res) => res.format({ json: () => res.json({}), html: () => res.send('<p>') }));
router.get('/fail', (req, res, next) => next(new Error('no')));
app.use('/api', router);
app.use((error, req, res, next) => res.status(500).send(error.message));
const requests = {
  first: [['GET', '/api/u/1?a=1&b=2'], ['POST', '/api/u', '{"i":1}'], ['GET', '/api/text'], ['GET', '/api/none'], ['GET', '/api/fail'], ['GET', '/api/accepts'], ['GET', '/api/cookie']],
  second: [['GET', '/api/u/2?x[y]=1'], ['POST', '/api/u', '{bad'], ['GET', '/api/away'], ['HEAD', '/api/text'], ['OPTIONS', '/api/u'], ['POST', '/api/u', '{"s":"x"}'], ['GET', '/none'], ['GET', '/api/accepts'], ['GET', '/api/cookie']],
};
const server = app.listen(0, '127.0.0.1', async () => {
  let k = 0;
  for (const [method, path, body] of requests[process.argv[2]]) {
    k += await new Promise((resolve) => {
      const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : { accept: process.argv[2] === 'first' ? 'text/html' : '*/*' };
      const request = http.request({ host: '127.0.0.1', port: server.address().port, method, path, headers }, (res) => {
        let n = 0; res.on('data', (d) => { n += d.length; }); res.on('end', () => resolve(n));
      });
      request.end(body);
    });
  }
  console.log(k > 0); server.close();
});
