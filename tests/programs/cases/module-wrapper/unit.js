let secret = 1;
function add(x) { return x + secret; }
exports.add = add;
