use expect_test::{Expect, expect};

use super::{Decorators, Dialect, Jsx, strip_types};

fn check(source: &str, expected: Expect) {
    check_as(source, &Dialect::typescript(), expected);
}

fn check_as(source: &str, dialect: &Dialect, expected: Expect) {
    let text = strip_types(source, true, dialect).map_or_else(|e| format!("error: {e}"), |stripped| stripped.code);
    // Spaces at the end of a line are hard to see and mean nothing.
    let text = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    expected.assert_eq(&text);
}

#[test]
fn types_become_spaces() {
    check(
        "const x: number = f<string>(a as B)!;\ninterface I { a: 1 }\nfunction g<T>(this: X, a?: T, ...r: T[]): a is B { return <any>a }\nexport type Z = 1\nlet y!: string",
        expect![[r#"
            const x         = f        (a     ) ;
            ;
            function g   (         a    , ...r     )         { return      a }
            ;
            let y"#]],
    );
}

#[test]
fn classes_keep_what_runs() {
    check(
        "x;\nabstract class A<T> extends B<T> implements C, D { private readonly x?: number = 1; declare z: 1; constructor(public a: number, protected b = 2) { super(); }\n public static async *[k]<T>(): void {} abstract m(): void; [i: string]: any; override get p(): string { return '' } }",
        expect![[r#"
            x;
                     class A    extends B                    {a;b;                  x          = 1; ;             constructor(       a        ,           b = 2) { super();;this.a=a;this.b=b; }
             ;      static async *[k]   ()       {} ;                   ;                          get p()         { return '' } }"#]],
    );
}

#[test]
fn enums_and_namespaces_are_lowered() {
    check(
        "export enum E { A, B = 5, C, D = 'x', F = A | B }\nnamespace N { export const a = 1, b: number = a; export function f() { return { a } } }\nimport fs = require('fs'); fs.x",
        expect![[r#"
            import{createRequire as __require_}from"node:module";const __require=__require_(import.meta.url);              export var E;(function(E){  E[E["A"]=0]="A";      E[E["B"]=5]="B";   E[E["C"]=E["B"]+1]="C";      E["D"]='x';      E[E["F"]=E.A | E.B]="F"; })(E||(E={}));
                        var N;(function(N){ ;            (N.a = 1, N.b         = N.a);;        function f() { return { a:N.a } };N.f=f; })(N||(N={}));
                  const  fs = __require       ('fs'); fs.x"#]],
    );
}

#[test]
fn imports_of_types_go() {
    check(
        "import { A, type B, c } from 'm';\nimport type { D } from 'n';\nimport E from 'e';\nlet x: A = c as E;\nexport { x, type A }",
        expect![[r#"
            import {            c } from 'm';
            ;
            ;
            let x    = c     ;
            export { x,        }"#]],
    );
}

#[test]
fn namespaces_nest_and_merge() {
    check(
        "namespace A.B { export const x = 1; export namespace C { export const [y, { z = x }] = f(); export enum E { P } } }\nnamespace A.B { console.log(x, C.y); export class B { m() { return x } } }\nexport namespace A { export import q = B.C; export type T = 1 }\nnamespace T { export interface I {} }\nclass K {}\nnamespace K { export let n = 1; n++ }",
        expect![[r#"
                        var A;(function(A){  let B;(function(B){ ;            (B.x = 1);;                    let C;(function(C){ ;            ([C.y, { z:C.z = B.x }] = f());;               let E;(function(E){  E[E["P"]=0]="P"; })(E=C.E||(C.E={})); })(C=B.C||(B.C={})); })(B=A.B||(A.B={}));})(A||(A={}));
                        (function(A){  let B;(function(B_1){ console.log(B_1.x, B_1.C.y);        class B { m() { return B_1.x } };B_1.B=B; })(B=A.B||(A.B={}));})(A||(A={}));
                               (function(A){                   const q=A.q=A.B.C; ;                 })(A||(A={}));
            ;
            class K {}
                        (function(K){ ;          (K.n = 1);; K.n++ })(K||(K={}));"#]],
    );
}

#[test]
fn enums_merge_and_know_strings() {
    check(
        "x;\nenum E { A = 'a', B = A, C = `${A}x`, 'd-e' = 1 << 2, F }\nenum E { G = E.F, H = F }\nexport const enum X { Y = -1, Z }",
        expect![[r#"
            x;
                   var E;(function(E){     E["A"]='a';      E["B"]=E.A;      E["C"]=`${E.A}x`;          E[E["d-e"]=1 << 2]="d-e";   E[E["F"]=E["d-e"]+1]="F"; })(E||(E={}));
                   (function(E){     E[E["G"]=E.F]="G";      E[E["H"]=E.F]="H"; })(E||(E={}));
                                export var X;(function(X){     X[X["Y"]=-1]="Y";   X[X["Z"]=X["Y"]+1]="Z"; })(X||(X={}));"#]],
    );
}

#[test]
fn statements_end_where_types_ended() {
    check(
        "const a = b as\n  T\n(c)\nreturn <X\n>y\nx = y satisfies T\n[1].z\nconst f = async <\nT\n>(x: T): Promise<\nT> => x as T\n(g)\nclass C { x = 1 as T\n[k] = 2; get: T\nfoo() {} }",
        expect![[r#"
            const a = b;

            (c)
            return (
             y)
            x = y;
            [1].z
            const f = async (

              x
              ) => x;
            (g)
            class C { x = 1;
            [k] = 2; get;
            foo() {} }"#]],
    );
}

#[test]
fn modules() {
    check(
        "import fs = require('fs');\nexport import p = fs.promises;\nexport = fs;",
        expect![[r#"
            import{createRequire as __require_}from"node:module";const __require=__require_(import.meta.url);      const  fs = __require       ('fs');
            export       const  p = fs.promises;
                     module.exports=fs;"#]],
    );
}

const LEGACY: Dialect = Dialect {
    has_types: true,
    jsx: None,
    decorators: Decorators::Legacy,
    fields: super::Fields::OnlyTypes,
    imports: super::Imports::OfValues,
};

#[test]
fn legacy_decorators() {
    check_as(
        "@d @e({\n a: 1 })\nexport class A extends B { @f x: T; @g() static m(@p q: T, @r(1) s) { return A.m } constructor(@Inject(X) private readonly x: X) { super() } @h [k]() {} }\nclass C { @f y = 1 }",
        &LEGACY,
        expect![[r#"
            let A_1,A=A_1=$w_legacyClass(()=>[ d,  e({
             a: 1 }),],
                   class A extends B {static{A_1=this} ;static{$w_legacyMember(this,()=>[ f,],"x",2)};      ;static{$w_legacyMember(this,()=>[ g(),$w_legacyParameter(0,p),$w_legacyParameter(1,r(1))],"m",1)} static m(   q   ,       s) { return A_1.m } ;static{$w_legacyMember(this,()=>[$w_legacyParameter(0,Inject(X))],null,0)}constructor(                            x   ) { super();this.x=x; } ;static{$w_legacyMember(this,()=>[ h,],[1],0)} [$w_legacyKey(k)]() {} ;static{$w_legacyEnd(this)}});export{A};
            class C { ;static{$w_legacyMember(this,()=>[ f,],"y",2)} y = 1 ;static{$w_legacyEnd(this)}}"#]],
    );
}

#[test]
fn standard_decorators() {
    check(
        "@d export default class A extends B { @f x: T; @g() static async *m() { return A.m } @h [k] = 1; accessor z = 1; @i static accessor w; @j #p = 2; @k get q() { return 1 } }\nconst C = @d class { }",
        expect![[r##"
            let A_1,A=A_1=$w_decorated($w_decorators([ d,]),                class A extends B {static{A_1=this}static #w_=$w_decorate(this,"A",[["field",false],["method",true],["field",false],["accessor",true],["field",false,[j],"#p",o=>o.#p,(o,v)=>{o.#p=v},o=>#p in o],["getter",false]],true);static{A_1=A.#w_.replacement}#w_i=$w_instance(this,A.#w_); ;[$w_decorators([ f,], "x" )]=$w_field(this,A.#w_,0)   ;;#w_0=$w_behind(this,A.#w_,0); ;static async *[$w_decorators([ g(),],               "m" )]() { return A_1.m } ;[$w_decorators([ h,],  k )] = $w_field(this,A.#w_,2,1);;#w_2=$w_behind(this,A.#w_,2); ;get          "z" (){return this.#w_a1}set "z"(v){this.#w_a1=v}#w_a1 = 1;; ;static get [$w_decorators([ i,],                 "w" )](){return this.#w_a2}static set [$w_sameKey()](v){this.#w_a2=v}static #w_a2=$w_field(this,A.#w_,3);;static #w_3=$w_behind(this,A.#w_,3);    #p = $w_field(this,A.#w_,4,2);;#w_4=$w_behind(this,A.#w_,4); ;get [$w_decorators([ k,],     "q" )]() { return 1 } });export{A as default};
            const C = $w_decorated($w_decorators([ d,]), class _class  {static #w_=$w_decorate(this,"_class",[],true); })"##]],
    );
}

#[test]
fn elements() {
    let source = "import React from 'react';\nconst a = <div a=\"x &amp; y\" b-c={d as T} {...e} f>\n  text &lt;\n  more {/* no */}{g}<B.C<T> key={h!.i}/>\n  {...j}</div>;\nconst b = <><x:y/>z</>;";
    let with = |jsx| Dialect { jsx: Some(jsx), ..Dialect::typescript() };
    check_as(
        source,
        &with(Jsx::classic()),
        expect![[r#"
            import React from 'react';
            const a = React.createElement( "div"   ,{ a: "x & y"           , "b-c"   :  d      ,  ...e , f:true} ,"text < more "

                             , g ,React.createElement( B.C   ,{ key:  h .i }  )
              , ...j )      ;
            const b = React.createElement(React.Fragment,null  ,React.createElement( "x:y"   ,null  ),"z" )   ;"#]],
    );
    check_as(
        source,
        &with(Jsx::Automatic { source: "preact".into() }),
        expect![[r#"
            import{jsxs as _jsxs,jsx as _jsx,Fragment as _Fragment}from"preact/jsx-runtime";;
            const a = _jsxs( "div"   ,{ a: "x & y"           , "b-c"   :  d      ,  ...e , f:true,children:[ "text < more "

                             , g ,_jsx( B.C   ,{           }  ,h .i)
              , ...j ]})      ;
            const b = _jsxs(_Fragment,{  children:[_jsx( "x:y"   ,{}  ),"z" ]})   ;"#]],
    );
    check_as(
        "/** @jsx h */\nimport { h } from 'preact';\nreturn <a/>",
        &with(Jsx::Automatic { source: "react".into() }),
        expect![[r#"
        /** @jsx h */
        import { h } from 'preact';
        return h( "a" ,null  )"#]],
    );
}

#[test]
fn errors_have_a_line() {
    check("let x;\nlet y: = 1;", expect!["error: line 2: Unexpected token"]);
}

#[test]
fn fields_wait_for_parameters() {
    check_as(
        "class A { x = this.y as T; static z = 1; w; constructor(private y: T) {} }",
        &LEGACY,
        expect![
            "class A { #w_f1  = ()=>(this.y     );; static z = 1; ;  constructor(        y   ) {this.y=y;this.x=this.#w_f1();} }"
        ],
    );
    check(
        "class A { x = this.y; constructor(private y: T) {} }\nexport default @log('default') class { x = 1 }",
        expect![[r#"
        class A {y; x = this.y; constructor(        y   ) {this.y=y;} }
        let default_1=$w_decorated($w_decorators([                log('default'),]), class default_1  {static #w_=$w_decorate(this,"default_1",[],true); x = 1 });export{default_1 as default};"#]],
    );
}
