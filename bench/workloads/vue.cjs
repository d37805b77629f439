'use strict';
const { measure, scale } = require('./harness.cjs');
const { reactive, computed, effect } = require('@vue/reactivity');
// A cart of many lines whose totals follow what is changed in it: nearly every object is used through a proxy.
measure('vue', () => {
  const cart = reactive({ lines: [], factor: 1 });
  for (let i = 0; i < 300; i++) cart.lines.push({ sku: `s${i % 50}`, price: i % 17, count: 1 });
  const total = computed(() => cart.lines.reduce((sum, line) => sum + line.price * line.count, 0) * cart.factor);
  let seen = 0;
  effect(() => { seen = (seen * 31 + total.value) | 0; });
  for (let i = 0; i < scale(600); i++) {
    const line = cart.lines[(i * 7) % cart.lines.length];
    line.count = (line.count + i) % 5;
    if (i % 50 === 0) cart.lines.push({ sku: `t${i}`, price: i % 13, count: 2 });
    if (i % 90 === 0) cart.factor = (i % 3) + 1;
  }
  return `${seen} ${total.value}`;
});
