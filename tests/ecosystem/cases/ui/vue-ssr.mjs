import { computed, createSSRApp, defineComponent, h, reactive, ref, watch, nextTick } from 'vue';
import { renderToString } from '@vue/server-renderer';
import { compileScript, compileTemplate, parse } from '@vue/compiler-sfc';

const Item = defineComponent({ props: { name: String, price: Number }, setup: (props) => () => h('li', { class: { dear: props.price > 10 } }, `${props.name}: ${props.price}`) });
const app = createSSRApp({
  components: { Item },
  data: () => ({ items: [{ name: 'pen', price: 4 }, { name: 'book', price: 30 }], title: '<shop>' }),
  computed: { total() { return this.items.reduce((sum, { price }) => sum + price, 0); } },
  template: '<h1>{{ title }}</h1><ul><Item v-for="i in items" :key="i.name" v-bind="i" /></ul><p v-if="total > 30">total {{ total }}</p><input v-model="title">',
});
console.log(await renderToString(app));
const state = reactive({ list: [1, 2], nested: { a: 1 } });
const sum = computed(() => state.list.reduce((a, b) => a + b, 0) + state.nested.a);
watch(sum, (now, before) => console.log('sum', before, '→', now));
state.list.push(3);
state.nested.a = 10;
await nextTick();
console.log(sum.value, ref({ x: 1 }).value, state);
const { descriptor } = parse('<script setup>\nconst props = defineProps({ a: String });\nconst b = ref(props.a);\n</script>\n<template><p @click="b++">{{ b }}</p></template>\n', { filename: 'A.vue' });
console.log(compileScript(descriptor, { id: 'a' }).content, compileTemplate({ source: '<p>{{ x }}</p>', filename: 'A.vue', id: 'a' }).code);
const broken = createSSRApp({ template: '<p>{{ nothing.here }}</p>' });
await renderToString(broken).catch((error) => console.log(error.message));
