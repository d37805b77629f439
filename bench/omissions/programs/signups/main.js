'use strict';
const { createService } = require('./src/service.js');
const { handle } = require('./src/requests.js');

const service = createService();
const requests = [
  { verb: 'sign-up', name: 'Ann', email: 'ann@example.org', team: 'red' },
  { verb: 'sign-up', name: 'Bob', email: 'bob@example.org', team: 'red' },
  { verb: 'sign-up', name: 'Cy', email: 'Cy@example.org' },
  { verb: 'sign-in', email: 'ann@example.org' },
  { verb: 'change', id: 3, changes: { team: 'blue' } },
  { verb: 'change', id: 2, changes: { name: 'Robert' } },
  { verb: 'leave', id: 1 },
  { verb: 'change', id: 2, changes: { email: 'robert@example.org' } },
];
for (const request of requests) handle(service, request);
console.log(service.audit.map(({ what, id }) => `${id} ${what}`).join(', '));

const index = service.store.byEmail;
const answer = handle(service, { verb: 'sign-in', email: 'robert@example.org' });
if (!answer.ok) throw new Error(`Robert cannot sign in: ${answer.reason} (known: ${[...index.keys()].join()})`);
