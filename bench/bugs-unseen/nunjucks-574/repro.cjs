'use strict';
var nunjucks = require('nunjucks');

// one environment for mails, one for pages
var mails = new nunjucks.Environment([]);
var pages = new nunjucks.Environment([]);
pages.addGlobal('site', 'example.org');
mails.addGlobal('site', 'mail.example.org');
mails.addGlobal('range', function (first, last) { return first + ' to ' + last; });

var mail = mails.renderString('{{ range(1, 3) }} from {{ site }}', {});
if (mail !== '1 to 3 from mail.example.org') throw new Error('mail: ' + mail);
var page = pages.renderString('{% for n in range(1, 3) %}{{ n }};{% endfor %} {{ site }}', {});
if (page !== '1;2; example.org') throw new Error('page: ' + page);
console.log('ok');
