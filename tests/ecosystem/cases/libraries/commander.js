// case: {"run": ["node", "commander.js", "serve", "--port", "x", "a", "b"]}
const { Command, InvalidArgumentError, Option } = require('commander');

const program = new Command('tool').version('1.2.3').description('a tool').showSuggestionAfterError();
const port = (text) => { if (!/^\d+$/.test(text)) throw new InvalidArgumentError('not a number.'); return Number(text); };
program.command('serve').argument('<files...>', 'what to serve').option('-p, --port <number>', 'the port', port, 80)
  .addOption(new Option('-l, --level <level>').choices(['low', 'high']).default('low')).action((files, options) => console.log(files, options));
program.command('build', { isDefault: true }).option('--no-colour').action((options) => console.log(options));
console.log(program.helpInformation(), program.commands[0].helpInformation());
program.exitOverride();
for (const args of [['serve', 'a', 'b', '-p', '8080'], ['build', '--no-colour'], ['serve'], ['srve'], ['serve', 'a', '-l', 'middle'], ['--version']]) {
  try { program.parse(args, { from: 'user' }); } catch (error) { console.log(error.code, error.exitCode, error.message); }
}
program._exitCallback = null;
program.parse();
