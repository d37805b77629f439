// Prints everything that reflection shows of an object and of all that can be reached from it. No getter is called.
'use strict';
module.exports = { describe };

function describe(title, root, skipped = []) {
  // Node keeps frozen copies of some built-ins for itself; its console shows one.
  const names = new Map([[root, title], [Object.getPrototypeOf(console._times), 'a copy'], ...skipped.map((object) => [object, 'skipped'])]);
  const queue = [root];
  const meet = (value, name) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return typeof value;
    if (!names.has(value)) {
      names.set(value, name);
      queue.push(value);
    }
    return names.get(value);
  };
  for (let object = queue.shift(); object !== undefined; object = queue.shift()) {
    const name = names.get(object);
    console.log(`${name}: ${typeof object}, from ${meet(Object.getPrototypeOf(object), `${name}.__proto__`)}${
      Object.isExtensible(object) ? '' : ', fixed'}${typeof object === 'function' ? `, ${kind(object)}` : ''}`);
    for (const key of Reflect.ownKeys(object)) {
      const shown = typeof key === 'symbol' ? `[${key.description}]` : key;
      const { value, get, set, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, key);
      const flags = `${writable ? 'w' : '-'}${enumerable ? 'e' : '-'}${configurable ? 'c' : '-'}`;
      const parts = [['', value], ['get ', get], ['set ', set]].map(([what, part]) => what + meet(part, `${name}.${what}${shown}`));
      console.log(`  ${shown} ${flags} ${parts.join(' ')}${key === 'length' || (key === 'name' && typeof object === 'function') ? ` ${String(value)}` : ''}`);
    }
  }
}

function kind(f) {
  const text = Function.prototype.toString.call(f);
  return text.length < 80 ? text : `${text.length} characters`;
}
