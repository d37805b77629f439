'use strict';
function announce(catalogue, tag, percent) {
  const reduced = [];
  for (const article of catalogue.withTag(tag)) {
    article.price = Math.round(article.price * (100 - percent)) / 100;
    reduced.push(article.name);
  }
  return reduced;
}
module.exports = { announce };
