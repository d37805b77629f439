try { require('./bad.cjs'); } catch (e) { console.log(e.name, e.message); console.log(e.stack.split('\n').slice(0, 5).join('\n')); } require('./bad.cjs');
