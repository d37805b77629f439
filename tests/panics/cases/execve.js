// Another program takes the place of this one, where Node can do that.
const args = ['-e', 'console.log("the other one")'];
if (process.execve === undefined) require('node:child_process').execFileSync(process.execPath, args, { stdio: 'inherit' });
else {
  process.removeAllListeners('warning');
  process.execve(process.execPath, [process.execPath, ...args], process.env);
}
