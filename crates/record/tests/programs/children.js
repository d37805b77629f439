const { execFileSync, spawnSync, fork, exec, spawn } = require('child_process');
if (process.argv[2] === 'child') {
  console.log('child', process.env.NODE_OPTIONS, process.env.OWN, process.env.WHEREFORE_RUN, process.execArgv);
  process.send?.({ hello: 1 });
  return;
}
const node = process.execPath;
process.stdout.write(execFileSync(node, [__filename, 'child']));
process.stdout.write(execFileSync(node, ['--no-warnings', __filename, 'child'], { env: { OWN: 'x', PATH: process.env.PATH } }));
process.stdout.write(spawnSync('sh', ['-c', `"${node}" "${__filename}" child`]).stdout);
process.stdout.write(spawnSync(node, [__filename, 'child'], { env: { NODE_OPTIONS: '--no-warnings' } }).stdout);
fork(__filename, ['child']).on('message', (m) => {
  console.log('message', m);
  exec(`"${node}" -p "1+1"`, (e, out) => {
    console.log(e, out);
    spawn(node, ['-e', 'process.exit(3)']).on('exit', (c) => console.log('exit', c));
  });
});
