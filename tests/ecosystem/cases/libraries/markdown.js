const MarkdownIt = require('markdown-it');
const { marked } = require('marked');

const text = '# Title\n\nSome *text* with `code`, a [link](http://example.com "t") and ![image](a.png).\n\n> quoted\n> - a list\n> - of two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet x = 1 < 2;\n```\n\n<b>raw</b> "quotes" -- (c)\n';
const md = new MarkdownIt({ html: true, linkify: true, typographer: true });
console.log(md.render(text), md.parse('*a*', {}).map((token) => token.type));
console.log(marked.parse(text), marked.lexer('**b**')[0].tokens[0].type);
