'use strict';
// Keeps the numbers of each post up to date from what is published.
function watch(bus) {
  const numbers = {};
  const of = (id) => (numbers[id] ??= { likes: 0, comments: 0, views: 0 });
  const off = [
    bus.subscribe('post:liked', ({ id, by }) => {
      const n = of(id);
      n.likes += 1;
      n.lastLiker = by;
    }),
    bus.subscribe('post:viewed', ({ id }) => {
      of(id).views += 1;
    }),
    bus.subscribe('comment:added', ({ post, text }) => {
      const n = of(post);
      n.comments += 1;
      n.lastComment = text.slice(0, 20);
    }),
  ];
  return { numbers, stop: () => off.forEach((f) => f()) };
}
module.exports = { watch };
