import { h, Component, Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import render from 'preact-render-to-string';
import * as solid from 'solid-js';
import * as web from 'solid-js/web';

class Clock extends Component { state = { n: 1 }; render({ label }, { n }) { return h('b', null, label, n); } }
const List = ({ items }) => { const [x] = useState(1); const n = useMemo(() => items.length + x, [items]); return h(Fragment, null, n, items.map((i) => h('li', { key: i, onClick() {} }, i))); };
console.log(render(h('div', { class: 'a', dangerouslySetInnerHTML: undefined }, h(Clock, { label: 'n: ' }), h(List, { items: ['<a>', 'b'] }))));
try { render(h(() => { throw new Error('in a component'); })); } catch (error) { console.log(error.message, error.stack.split('\n')[1]); }
console.log(solid.createRoot(() => { const [n, setN] = solid.createSignal(1); const twice = solid.createMemo(() => n() * 2); setN(5); return [n(), twice()]; }), web.renderToString(() => web.escape('<x>')));
