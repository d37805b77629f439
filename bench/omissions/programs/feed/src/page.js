'use strict';
function render(posts, numbers, ids) {
  return ids.map((id) => {
    const post = posts.get(id);
    const n = numbers[id];
    const tail = n.lastLiker ? `, last liked by ${n.lastLiker}` : '';
    return `${post.author}: ${post.text} (${n.likes} likes, ${n.comments} comments${tail})`;
  });
}
module.exports = { render };
