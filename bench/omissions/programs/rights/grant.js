'use strict';
// Gives everybody the rights of their groups, and of the groups in which those are contained.
export function grantAll(directory) {
  const visited = new Set();
  const roots = [...directory.groups.values()].filter((group) => !isPart(directory, group));
  for (const root of roots) grant(directory, root, [], visited);
  return visited.size;
}

function isPart(directory, group) {
  for (const other of directory.groups.values()) {
    if (other.parts.includes(group)) return true;
  }
  return false;
}

function grant(directory, group, inherited, visited) {
  if (visited.has(group)) return;
  visited.add(group);
  const rights = [...inherited, ...group.rights];
  for (const name of group.members) {
    const person = directory.person(name);
    rights.forEach((right) => person.rights.add(right));
  }
  for (const part of group.parts) grant(directory, part, rights, visited);
}
