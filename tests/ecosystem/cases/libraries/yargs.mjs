// case: {"run": ["node", "yargs.mjs", "serve", "--port", "x"]}
import yargs from 'yargs';

const make = (args) => yargs(args).scriptName('tool').command('serve [dir]', 'serves', (y) => y.positional('dir', { default: '.' }), (argv) => console.log('serve', argv))
  .option('port', { type: 'number', alias: 'p', demandOption: true }).option('level', { choices: ['low', 'high'] }).strict().wrap(100)
  .check((argv) => { if (Number.isNaN(argv.port)) throw new Error('the port is not a number'); return true; });
console.log(await make([]).getHelp());
await make(['serve', 'src', '-p', '8080', '--level=high']).parse();
make(process.argv.slice(2)).parse();
