'use strict';
class Posts {
  #posts = [];
  constructor(bus) {
    this.bus = bus;
  }
  write(author, text) {
    const post = { id: `p${this.#posts.length + 1}`, author, text, comments: [], likes: new Set() };
    this.#posts.push(post);
    this.bus.publish('post:written', { id: post.id, author });
    return post.id;
  }
  get(id) {
    const post = this.#posts.find((one) => one.id === id);
    if (post) this.bus.publish('post:viewed', { id });
    return post;
  }
  like(id, by) {
    const post = this.#posts.find((one) => one.id === id);
    if (!post || post.likes.has(by)) return false;
    post.likes.add(by);
    this.bus.publish('post:liked', { id, by });
    return true;
  }
  comment(id, by, text) {
    const post = this.#posts.find((one) => one.id === id);
    if (!post) return false;
    post.comments.push({ by, text });
    this.bus.publish('post:commented', { post: id, by, text });
    return true;
  }
}
module.exports = { Posts };
