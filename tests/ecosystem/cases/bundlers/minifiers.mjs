import { createRequire } from 'node:module';
import { minify } from 'terser';
import less from 'less';
import * as sass from 'sass';
import postcss from 'postcss';
import autoprefixer from 'autoprefixer';

const uglify = createRequire(import.meta.url)('uglify-js');
const code = 'function add(first, second) { if (false) { never(); } var unused = 1; return first + second; } class A { #p = add(1, 2); m() { return `${this.#p}`; } } console.log(new A().m(), [1, 2, 3].map(function (x) { return add(x, 1); }));';
console.log((await minify(code, { sourceMap: true, toplevel: true, mangle: { props: { regex: /^#/ } } })), uglify.minify(code, { toplevel: true }).code, uglify.minify('let a = (').error.message);
await minify('a b').catch((error) => console.log(error.name, error.message, error.line, error.col));
console.log((await less.render('@c: #f00; .m(@x) when (@x > 1) { width: @x * 2px } a { color: darken(@c, 10%); .m(2); &:hover { b { top: 0 } } }')).css, sass.compileString('@use "sass:math"; $x: 10px; @mixin m($n) { @for $i from 1 through $n { .a-#{$i} { width: math.div($x, $i); } } } @include m(3);').css);
await less.render('a { .none() }').catch((error) => console.log(error.message));
try { sass.compileString('a { b: $none }'); } catch (error) { console.log(error.message); }
console.log(postcss([autoprefixer({ overrideBrowserslist: ['ie 10', 'chrome 30'] })]).process('a { display: flex; user-select: none }', { from: undefined }).css);
