module.exports = { entry: './src/index.js', module: { rules: [{ test: /\.css$/, use: ['style-loader', 'css-loader'] }, { test: /\.ts$/, use: 'ts-loader' }, { test: /\.svg$/, type: 'asset' }] } };
