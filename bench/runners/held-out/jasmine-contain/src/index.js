const normal = require('./normal');

class Index {
  constructor() {
    this.names = new Map();
  }

  add(name, tags) {
    tags.map(normal).forEach((tag) => {
      const names = this.names.get(tag);
      if (names) names.push(name);
      else this.names.set(tag, [name]);
    });
  }

  tagged(tag) {
    const names = this.names.get(normal(tag));
    return names ? [...names].sort() : [];
  }
}

module.exports = Index;
