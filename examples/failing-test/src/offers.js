function applyOffers(cart, offers) {
  let percent = 0;
  for (const line of cart.lines) {
    const offer = offers.find((o) => o.sku === line.sku);
    // The defect: without an offer, the percentage of the line before is used again.
    if (offer) percent = offer.percent;
    line.price = line.price * (1 - percent / 100);
  }
}

module.exports = { applyOffers };
