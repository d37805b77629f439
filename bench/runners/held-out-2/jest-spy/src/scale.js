const steps = [1, 2, 5];

exports.tick = (span) => {
  let unit = 1;
  while (unit * 10 < span) unit *= 10;
  return steps.map((step) => step * unit).find((size) => span / size <= 4);
};
