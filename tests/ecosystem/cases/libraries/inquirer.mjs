// case: {"stdin": "my-name\n"}
import readline from 'node:readline/promises';
import inquirer from 'inquirer';

const answers = await inquirer.prompt([{ type: 'input', name: 'name', message: 'Name?' }]).catch((error) => error.name);
console.log(answers);
void readline;
