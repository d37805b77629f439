require('@swc/register')({ extensions: ['.ts'], swcrc: true });
require('./main.ts');
