module.exports = { entry: './src/index.js', mode: 'production', devtool: false };
