import { it } from 'vitest';

function send(message) {
  throw new TypeError(`nobody listens to ${message}`);
}

it('is well', () => {
  Promise.resolve('news').then(send);
});
