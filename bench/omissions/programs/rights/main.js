import { Directory } from './groups.js';
import { grantAll } from './grant.js';
import { demand, may } from './check.js';

const directory = new Directory();
directory.group('staff').allow('enter').contain(directory.group('writers'), directory.group('support'));
directory.group('admins').allow('configure', 'delete').contain(directory.group('support'));
directory.group('writers').allow('write');
directory.group('support').allow('answer');
directory.join('ann', 'admins');
directory.join('bob', 'writers');
directory.join('cy', 'support');
directory.join('dee', 'writers', 'admins');

console.log(grantAll(directory), 'groups');
for (const [name, right] of [['ann', 'delete'], ['bob', 'enter'], ['bob', 'write'], ['dee', 'configure'], ['cy', 'answer']]) {
  demand(directory, name, right);
}
console.log(may(directory, 'bob', 'delete'));
demand(directory, 'cy', 'configure');
