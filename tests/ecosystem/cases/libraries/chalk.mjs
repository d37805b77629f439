// case: {"env": {"FORCE_COLOR": "3"}}
import chalk, { Chalk, supportsColor } from 'chalk';
import ora from 'ora';

console.log(chalk.red.bold('red'), chalk.hex('#ff8800').underline('orange'), chalk.bgRgb(1, 2, 3)`template`, supportsColor);
console.log(new Chalk({ level: 1 }).rgb(255, 0, 0)('few colours'), chalk.red(`a ${chalk.blue('b')} c`), Object.keys(chalk).length, chalk.blue.bold.level);
ora({ text: 'working', isEnabled: false }).start().succeed('done');
