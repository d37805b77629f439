import fs from 'node:fs';
import { compile } from 'svelte/compiler';
import { render } from 'svelte/server';

const source = "<script>\n  let { items = [] } = $props();\n  let total = $derived(items.reduce((sum, i) => sum + i.price, 0));\n</script>\n<svelte:head><title>Shop</title></svelte:head>\n<ul>{#each items as { name, price }, i}<li class:dear={price > 10}>{i}: {name} {price}</li>{:else}none{/each}</ul>\n{#if total}<p>{total}</p>{/if}\n<style>li { color: red }</style>\n";
const { js, css, warnings } = compile(source, { generate: 'server', filename: 'App.svelte' });
fs.writeFileSync('App.mjs', js.code);
const { default: App } = await import(`${process.cwd()}/App.mjs`).catch(() => ({}));
console.log(js.code, css.code, warnings.length, compile(source, { generate: 'client', filename: 'App.svelte' }).js.code);
if (App) { const { head, body } = render(App, { props: { items: [{ name: '<pen>', price: 4 }, { name: 'book', price: 30 }] } }); console.log(head, body); }
try { compile('<p>{#if}</p>', { filename: 'Bad.svelte' }); } catch (error) { console.log(error.code, error.message, error.frame); }
