const React = require('react');
const { renderToString, renderToStaticMarkup, renderToPipeableStream } = require('react-dom/server');

const { createElement: e, useState, useMemo, useContext, createContext, Suspense, use } = React;
const Theme = createContext('light');
function Item({ name, price }) { const theme = useContext(Theme); return e('li', { className: theme, style: { fontSize: price } }, name, ': ', price); }
function Shop({ items }) {
  const [count] = useState(items.length);
  const total = useMemo(() => items.reduce((sum, { price }) => sum + price, 0), [items]);
  return e(Theme.Provider, { value: 'dark' }, e('h1', null, `${count} & ${total}`), e('ul', null, items.map((i) => e(Item, { key: i.name, ...i }))));
}
const items = [{ name: '<pen>', price: 4 }, { name: 'book', price: 30 }];
console.log(renderToString(e(Shop, { items })));
console.log(renderToStaticMarkup(e(Shop, { items })));
function Broken() { return e('p', null, undefined.here); }
try { renderToString(e('div', null, e(Broken))); } catch (error) { console.log(error.stack); }
console.log(renderToString(e('ul', null, [e('li', null, 'no key')])));
const later = new Promise((resolve) => setTimeout(resolve, 5, 'late'));
const Late = () => e('b', null, use(later));
const stream = renderToPipeableStream(e(Suspense, { fallback: 'wait' }, e(Late)), { onAllReady: () => stream.pipe(process.stdout), onError: (error) => console.log(error.message) });
class Boundary extends React.Component { state = {}; static getDerivedStateFromError() { return { failed: true }; } render() { return this.state.failed ? 'failed' : this.props.children; } }
renderToPipeableStream(e(Suspense, { fallback: 'fallback' }, e(Boundary, null, e(Broken))), { onError: (error, info) => console.log(error.message, info.componentStack) });
