$.verbose = true;
const { stdout } = await $`echo ${'a b'}`;
console.log(stdout.length, chalk.level, await within(async () => { $.prefix = 'set -e;'; return (await $`node -p ${'1+1'}`).stdout; }));
await $`exit 5`.catch((error) => console.log(error.exitCode, error.message.split('\n')[0]));
console.log(path.basename(__filename), argv._, (await glob('*.mjs')), YAML.stringify({ a: [1] }));
await $`node -e ${'throw new Error("inside")'}`;
