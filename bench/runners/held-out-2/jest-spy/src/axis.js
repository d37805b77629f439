const { tick } = require('./scale');

exports.axis = ({ from, to }, draw) => {
  const size = tick(to - from);
  for (let at = from; at < to; at += size) draw('line', { at, label: String(at) });
  draw('frame', { from, to });
};
