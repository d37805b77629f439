module.exports = {
  price: 3,
  price 4,
};
