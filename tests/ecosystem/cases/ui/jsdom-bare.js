const { JSDOM } = require('jsdom');

const { window } = new JSDOM('<p>Hello <b>world</b>', { pretendToBeVisual: true });
console.log(window.document.body.innerHTML, window.document.querySelector('b').textContent, new window.DOMParser().parseFromString('<a><b/></a>', 'text/xml').documentElement.nodeName);
console.log(JSDOM.fragment('<p>1</p><p>2').childElementCount, new window.URL('a?b=c', 'http://x/').href, new window.FormData() instanceof window.FormData);
window.document.body.appendChild(null);
