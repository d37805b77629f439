const js = require('@eslint/js');
const ts = require('typescript-eslint');

module.exports = ts.config(js.configs.recommended, ...ts.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts'] })), { rules: { eqeqeq: 'error', 'no-var': 'warn', complexity: ['error', 3] } });
