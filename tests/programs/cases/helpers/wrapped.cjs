module.exports = (function () { return 'w'; })();
