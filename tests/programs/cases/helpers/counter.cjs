let n = 0; exports.count = () => ++n; console.log('counter loaded', module.parent?.id === '.' || typeof module.parent);
