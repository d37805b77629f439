module.exports = (function () { return typeof this; })();
