// node messages.mjs FOLDER
// Checks the sessions that other tests wrote down: a file each, with a message a line.
import fs from 'node:fs';
import path from 'node:path';
import { Checked } from './schema.mjs';

const [folder] = process.argv.slice(2);
let [n_messages, n_wrong] = [0, 0];
for (const name of fs.readdirSync(folder)) {
  const session = new Checked();
  const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean);
  lines.forEach((line) => session.add(JSON.parse(line)));
  n_messages += session.n_messages;
  n_wrong += session.errors.length;
  session.errors.forEach((error) => console.log(`FAILED  ${name}: ${error}`));
}
console.log(`${n_messages} messages, ${n_wrong} errors`);
process.exit(n_messages > 0 && n_wrong === 0 ? 0 : 1);
