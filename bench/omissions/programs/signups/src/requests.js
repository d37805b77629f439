'use strict';
// A stand-in for the HTTP layer: each request is a verb and what comes with it.
function handle(service, { verb, ...rest }) {
  switch (verb) {
    case 'sign-up': return service.signUp(rest);
    case 'change': return service.change(rest.id, rest.changes);
    case 'leave': return service.leave(rest.id);
    case 'sign-in': return service.signIn(rest.email);
    default: throw new Error(`unknown verb ${verb}`);
  }
}
module.exports = { handle };
