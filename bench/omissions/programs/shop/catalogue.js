'use strict';
// Articles by number, and an index of them by tag.
class Catalogue {
  constructor() {
    this.articles = new Map();
    this.byTag = new Map();
  }
  add(number, name, ...tags) {
    const article = { number, name, tags: new Set(tags), price: 0 };
    this.articles.set(number, article);
    for (const tag of tags) this.indexed(tag).add(number);
    return article;
  }
  retag(number, ...tags) {
    const article = this.articles.get(number);
    for (const tag of article.tags) this.indexed(tag).delete(number);
    article.tags = new Set(tags);
    return article;
  }
  withTag(tag) {
    return [...this.indexed(tag)].map((number) => this.articles.get(number));
  }
  indexed(tag) {
    if (!this.byTag.has(tag)) this.byTag.set(tag, new Set());
    return this.byTag.get(tag);
  }
}
module.exports = { Catalogue };
