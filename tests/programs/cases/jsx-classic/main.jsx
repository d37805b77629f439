// expected
/** @jsxFrag React.Fragment */
const React = { createElement: (type, props, ...children) => ({ type: type.name ?? type, props, children }), Fragment: 'fragment' };
const list = [1, 2];
const Item = ({ n }) => null;
const ns = { Part: Item };
const tree = (
  <div id="a &amp; b\n" data-x={list.length} {...{ y: 1 }} on
    title='two
lines'>
    text &lt;here&gt;
      and more {/* nothing */}
    {list.map((n) => <Item key={n} n={n} />)} {
      // a comment
      'é'
    }<></>
    <ns.Part a=<b/>>{...list}</ns.Part>
    <svg:rect x={(1, 2)}/>
  </div>
);
console.log(JSON.stringify(tree, null, 1));
function Fails() { return <p>{missing.x}</p>; }
try { Fails(); } catch (error) { console.log(/main\.jsx:\d+:\d+/.exec(error.stack)[0], error.message); }
