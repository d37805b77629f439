import { Window } from 'happy-dom';
import * as cheerio from 'cheerio';

const window = new Window({ url: 'http://localhost:8080', settings: { disableJavaScriptFileLoading: true, enableJavaScriptEvaluation: true } });
const { document } = window;
document.write('<html><body><div id=a class="x y"><span>1</span></div><script>window.answer = 42; function f() { return this === window; }</script></body></html>');
console.log(document.body.innerHTML, window.answer, document.querySelectorAll('.x > span').length, document.getElementById('a').classList.contains('y'));
document.body.addEventListener('custom', (event) => console.log(event.detail));
document.body.dispatchEvent(new window.CustomEvent('custom', { detail: { n: 1 } }));
customElements: { class Tag extends window.HTMLElement { connectedCallback() { this.textContent = 'connected'; } } window.customElements.define('my-tag', Tag); }
document.body.append(document.createElement('my-tag'));
console.log(document.body.lastChild.outerHTML);
await window.happyDOM.close();
const $ = cheerio.load('<ul><li>a</li><li class="b">b</li></ul>');
$('li.b').addClass('c').after('<li>d</li>');
console.log($.html(), $('li').map((i, e) => $(e).text()).get());
