exports.named = 'n'; exports.other = () => {}; Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'd';
