const { read } = require('./stations');
const units = require('./units');

exports.report = async function report(place) {
  const reading = await read(place);
  const celsius = units.celsius(reading.fahrenheit);
  return { place: reading.place, celsius, text: units.describe(celsius) };
};
