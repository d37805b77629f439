// env: ZEBRA=1 APPLE=2
// The order of variables, here and in children.
const { spawnSync } = require('child_process');
console.log(Object.keys(process.env).join());
const show = ['-p', 'JSON.stringify(process.env)'];
const child = (env) => console.log(spawnSync(process.execPath, show, { env, encoding: 'utf8' }).stdout);
child({ Z: '1', NODE_OPTIONS: '--no-warnings', A: '2' });
child({ Z: '1', A: '2' });
child({ Z: '1', NODE_OPTIONS: '', A: '2' });
child(process.env);
