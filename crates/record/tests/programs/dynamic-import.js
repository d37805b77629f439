console.log('start');
import('./dependency.mjs').then((m) => {
  console.log(m.value, m.default.toString(), Object.keys(m));
  return import('fs');
}).then((m) => console.log(typeof m.readFileSync));
