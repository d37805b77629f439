//! Programs of several files.

use expect_test::expect;

use crate::program::calls;

#[test]
fn commonjs() {
    calls(
        "//- /main.js
         const a = require('./a'); const { g } = require('./b'); a(); g(); require('./lib').h(); require('pkg')();
         //- /a.js
         module.exports = function f() {};
         //- /b.js
         exports.g = function () { require('./main'); };
         //- /lib/index.js
         this.h = function () {};
         //- /node_modules/pkg/index.js
         module.exports = function packaged() {};",
        expect![[r#"
            /main.js → /a.js
            /main.js → /b.js
            /main.js → /lib/index.js
            /main.js → /node_modules/pkg/index.js
            /main.js → `function () { require('./main'); }`
            /main.js → `function () {}`
            /main.js → f
            /main.js → packaged
            `function () { require('./main'); }` → /main.js
        "#]],
    );
}

#[test]
fn es_modules() {
    calls(
        "//- /main.mjs
         import d, { named as n } from './a.mjs'; import * as ns from './b.mjs'; import c, { one } from './c.js';
         d(); n(); ns.again(); ns.all(); c.one(); one(); (await import('./a.mjs')).default(); n.missing;
         //- /a.mjs
         export default function main() {} export function named() {}
         export const all = () => {};
         //- /b.mjs
         export { named as again } from './a.mjs'; export * from './a.mjs';
         //- /c.js
         exports.one = function one() {};",
        expect![[r#"
            /main.mjs → all
            /main.mjs → main
            /main.mjs → named
            /main.mjs → one
        "#]],
    );
}
