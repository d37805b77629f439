const thing = { toString() { return 'thing'; }, nested: { deep: [1, 2, { three: 3 }] } };
throw thing;
