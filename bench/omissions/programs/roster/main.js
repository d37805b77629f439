'use strict';
const { Roster } = require('./roster.js');

const person = (name, age, wants, worked) => ({ name, age, wants, worked, shifts: [] });
const people = [person('ann', 30, 'night', 9), person('bob', 17, 'night', 2), person('cy', 40, 'weekend', 8), person('dee', 22, 'weekend', 3), person('eve', 51, 'day', 7)];
const roster = new Roster().plan(people);
const dee = people[3];
console.log(Object.entries(roster.shifts).map(([shift, names]) => `${shift}: ${names.join()}`).join('; '));
const { shifts } = dee;
if (shifts.length === 0) throw new Error(`${dee.name} works nowhere`);
