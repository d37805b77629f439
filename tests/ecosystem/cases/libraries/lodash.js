const _ = require('lodash');

const lines = [{ name: 'pen', tags: ['a', 'b'], price: 4 }, { name: 'book', tags: ['b'], price: 30 }, { name: 'ink', tags: [], price: 4 }];
console.log(_.groupBy(lines, 'price'), _.sortBy(lines, ['price', 'name']).map(_.property('name')));
console.log(_(lines).flatMap('tags').countBy().toPairs().orderBy([1], ['desc']).value());
console.log(_.merge({ a: { b: [1, 2] } }, { a: { b: [3], c: 4 } }), _.get({ a: [{ b: 1 }] }, 'a[0].b'), _.set({}, 'x.y[1].z', 5));
console.log(_.cloneDeep(new Map([[{ a: 1 }, new Set([1, [2]])]])), _.isEqual([/a/g, new Date(0)], [/a/g, new Date(0)]));
console.log(_.template('<% for (const x of xs) { %><i><%- x %></i><% } %> ${ xs.length }')({ xs: ['<', 2] }));
console.log(_.template('hello ${ name }').source);
console.log(_.camelCase('some text-with_words'), _.chunk(_.range(7), 3), _.zipObjectDeep(['a.b', 'a.c'], [1, 2]), _.curry((a, b, c) => a + b + c)(1)(2)(3));
const debounced = _.debounce((x) => console.log('debounced', x), 5);
debounced(1); debounced(2);
const memo = _.memoize((n) => n * 2);
console.log(memo(2), memo(2), memo.cache.size, _.partial(Math.max, 3)(1, 2), _.attempt(JSON.parse, '{').message);
console.log(Object.getOwnPropertyNames(_).length, _.VERSION, _.toString(_.debounce).slice(0, 60), _.isNative(Array.prototype.push), _.isNative(debounced));
