function inner() { console.trace('here', { a: 1 }); }
const outer = () => [1].forEach(inner);
outer(); class K { get v() { return inner(); } static s() { new K().v; } } K.s();
