const { JSDOM, VirtualConsole } = require('jsdom');

const virtualConsole = new VirtualConsole();
virtualConsole.on('jsdomError', (error) => console.log('page', error.message));
virtualConsole.on('log', (...args) => console.log('page says', ...args));
const dom = new JSDOM('<!doctype html><body><ul id=l><li class=a>1<li>2</ul><script>document.title = [...document.querySelectorAll("li")].map((e) => e.textContent).join(); function twice(x) { return x * 2; } console.log(typeof window, twice.toString()); nothing.here;</script>', { runScripts: 'dangerously', url: 'http://example.com/', virtualConsole });
const { window } = dom;
const { document } = window;
console.log(document.title, dom.serialize(), window.twice(4), window.eval('1 + 1'), window.Array === Array, document.querySelector('ul > li:not(.a)').outerHTML);
const button = document.createElement('button');
button.addEventListener('click', (event) => console.log('clicked', event.type, event.target === button));
document.body.append(button);
button.click();
document.getElementById('l').innerHTML = '<li>x</li>'.repeat(2);
new window.MutationObserver((records) => console.log('mutated', records.length)).observe(document.body, { childList: true });
button.remove();
try { document.querySelector('!'); } catch (error) { console.log(error.name, error.message); }
try { window.eval('(() => { throw new TypeError("inside"); })()'); } catch (error) { console.log(error instanceof window.TypeError, error.message); }
console.log(Object.getOwnPropertyNames(window).length, Object.getOwnPropertyDescriptor(window, 'Function'), window.getComputedStyle(document.body).display);
window.setTimeout(() => { console.log('later'); window.close(); }, 2);
