'use strict';
const { measure, scale } = require('./harness.cjs');
const { makeAutoObservable, observable, autorun, configure } = require('mobx');
configure({ enforceActions: 'never' });
// A list of tasks: MobX hands out proxies for objects, arrays and maps.
class Task {
  constructor(title) {
    this.title = title;
    this.isDone = false;
    this.tags = ['new'];
    makeAutoObservable(this);
  }
}
class Tasks {
  all = [];
  constructor() {
    makeAutoObservable(this);
  }
  get open() {
    return this.all.filter((task) => !task.isDone).length;
  }
  get byTag() {
    const counts = {};
    for (const task of this.all) for (const tag of task.tags) counts[tag] = (counts[tag] ?? 0) + 1;
    return counts;
  }
  add(title) {
    this.all.push(new Task(title));
  }
  toggle(i) {
    const task = this.all[i];
    task.isDone = !task.isDone;
    if (task.tags.length < 4) task.tags.push(`t${i % 5}`);
  }
}
measure('mobx', () => {
  const tasks = new Tasks();
  const settings = observable({ limits: { open: 10 }, names: observable.map() });
  let seen = 0;
  autorun(() => { seen = (seen * 31 + tasks.open + settings.limits.open + Object.keys(tasks.byTag).length) | 0; });
  for (let i = 0; i < 60; i++) tasks.add(`task ${i}`);
  for (let i = 0; i < scale(400); i++) {
    tasks.toggle((i * 7) % tasks.all.length);
    settings.limits.open = i % 9;
    settings.names.set(`n${i % 30}`, { i });
  }
  return `${seen} ${settings.names.size}`;
});
