use expect_test::{Expect, expect};
use trace_model::{Policy, Position};

use crate::{SourceKind, instrument};

fn check(source: &str, expected: Expect) {
    let instrumented = instrument(source, SourceKind::CommonJs, &Policy::full()).expect("it parses");
    expected.assert_eq(&instrumented.code);
}

#[test]
fn a_variable_write_wraps_the_assignment() {
    check(
        r#"x = 1"#,
        expect!["$w_E(0x00000010,0);try{$w_c(0x00000000,x = 1);$w_v(0x00000030)}finally{$w_m(0x00000020)}"],
    );
}

#[test]
fn a_function_is_entered_and_left() {
    check(
        r#"function f(a, b) { 'use strict'; return this.x + a }"#,
        expect![
            "const $w_f0=$w_E(0x00000080,0);try{$w_n(0x00000000,f);function f(a, b) {/*@w00000007*/ 'use strict';;$w_E(0x00000050,$w_f0);try{$w_t(0x00000020,this);$w_v(0x00000030,a);$w_v(0x00000040,b); return $w_v(0x00000010,this.x + a) }finally{$w_m(0x00000060)}};$w_v(0x000000a0)}finally{$w_m(0x00000090)}"
        ],
    );
}

#[test]
fn an_arrow_gets_a_body() {
    check(
        r#"const f = x => x + 1"#,
        expect![[
            r#"const $w_f0=$w_E(0x00000060,0);try{const f = $w_n(0x00000000,{"f":x => {/*@w00000005*/$w_E(0x00000030,$w_f0);try{$w_p(0x00000020,x,x?.[$w_I]);return $w_v(0x00000010,x + 1)}finally{$w_m(0x00000040)}}}["f"]);$w_v(0x00000080)}finally{$w_m(0x00000070)}"#
        ]],
    );
}

#[test]
fn calls_are_marked_and_their_results_recorded() {
    check(
        r#"f(g(1)); y = h(2); o.m().n(3)"#,
        expect![
            "$w_E(0x00000070,0);try{$w_m(0x00000000),f($w_R(0x00000020,($w_m(0x00000010)),g(1))); $w_v(0x00000030,y = ($w_m(0x00000040),h(2))); $w_m(0x00000050),o.m().n(3);$w_v(0x00000090)}finally{$w_m(0x00000080)}"
        ],
    );
}

#[test]
fn property_writes_keep_their_base() {
    check(
        r#"var o; o.p = 1; a.b.c = 2; o[k] = 3; o.p++; delete a.b[k]"#,
        expect![
            "$w_E(0x00000050,0);let $w_1,$w_2;try{var o; $w_P(0x00000000,o,o.p = 1); $w_D(0x00000010,($w_1=a.b).c = 2,$w_1,$w_1=0); $w_Q(0x00000020,o,o[$w_1=k] = 3,$w_1); $w_P(0x00000030,o,o.p++); $w_G(0x00000040,delete ($w_1=a.b)[$w_2=k],$w_1,$w_2,$w_1=0);$w_v(0x00000070)}finally{$w_m(0x00000060)}"
        ],
    );
}

#[test]
fn branches_and_loops() {
    check(
        r#"if (a && b) c ? d : e; for (let i = 0; i < n; i++) fs.push(() => i); while (x) y"#,
        expect![
            "$w_E(0x000000e0,0);try{if ($w_b(0x00000000,$w_b(0x00000010,a) && b)) $w_b(0x00000020,c) ? d : e; for (let i = $w_v(0x00000030,0); $w_l(0x00000040,i < n); $w_v(0x00000050,i++)) {const $w_s1=$w_S(0x000000c0);$w_m(0x00000060),fs.push($w_n(0x00000070,() => {/*@w0000000b*/$w_E(0x00000090,$w_s1);try{return $w_v(0x00000080,i)}finally{$w_m(0x000000a0)}}));} while ($w_l(0x000000d0,x)) y;$w_v(0x00000100)}finally{$w_m(0x000000f0)}"
        ],
    );
}

#[test]
fn nothing_is_inserted_into_what_the_engine_prints() {
    check(
        r#"const {a, b: [c]} = f(x); for (const v of g(y)) ; o[k](z); new (h())(1)"#,
        expect![
            "$w_E(0x00000080,0);try{const {a, b: [c]} = f($w_a(x,$w_m(0x00000000)));;$w_v(0x00000010,a);$w_v(0x00000020,c); for (const v of g($w_a(y,$w_m(0x00000030)))) {$w_i(0x00000040,v);;} $w_m(0x00000050),o[k](z); $w_m(0x00000060),new (h())(1);$w_v(0x000000a0)}finally{$w_m(0x00000090)}"
        ],
    );
}

#[test]
fn literals() {
    check(
        r#"v = {a: 1, b: function () {}, ...c}; w = {a, 'b-c': 2}; u = [1, ,2]; t = [x, y]"#,
        expect![
            "const $w_f0=$w_E(0x000000c0,0);try{$w_v(0x00000000,v = $w_z(0x00000010,{a: 1, b: function () {/*@w00000005*/$w_E(0x00000020,$w_f0);try{;$w_v(0x00000040)}finally{$w_m(0x00000030)}}, ...c})); $w_v(0x00000060,w = $w_o(0x00000070,{a, 'b-c': 2})); $w_v(0x00000080,u = $w_z(0x00000090,[1, ,2])); $w_v(0x000000a0,t = $w_y(0x000000b0,[x, y]));$w_v(0x000000e0)}finally{$w_m(0x000000d0)}"
        ],
    );
}

#[test]
fn async_functions() {
    check(
        r#"async function f() { const x = await g(); const {y} = await h(); (await k()).m(); try { await 1 } catch (e) { } finally { } }"#,
        expect![
            "const $w_f0=$w_E(0x00000170,0);try{$w_n(0x00000000,f);async function f() {/*@w00000016*/const $w_f1=$w_E(0x00000130,$w_f0);try{ const x = $w_v(0x00000010,$w_k(0x00000030,$w_f1,await $w_v(0x00000020,($w_m(0x00000040),g())))); const {y} = await $w_v(0x00000050,($w_m(0x00000060),h()));;$w_j(0x00000080,$w_f1);$w_v(0x00000070,y); $w_k(0x000000c0,$w_f1,$w_R(0x000000d0,($w_m(0x00000090)),(await $w_v(0x000000a0,($w_m(0x000000b0),k()))).m())); try { $w_k(0x000000f0,$w_f1,await $w_v(0x000000e0,1)) } catch (e) {$w_k(0x00000100,$w_f1,e); } finally {$w_j(0x00000110,$w_f1); ;$w_m(0x00000120);} ;$w_v(0x00000150)}finally{$w_m(0x00000140)}};$w_v(0x00000190)}finally{$w_m(0x00000180)}"
        ],
    );
}

#[test]
fn classes() {
    check(
        r#"class A extends B { #p = 1; f = () => 1; static s() {} constructor() { super(); this.x = 1 } get g() { return 1 } }"#,
        expect![[
            r#"const $w_f0=$w_E(0x00000160,0);try{class A extends B {/*@w00000014*/ #p = $w_P(0x00000000,this,this?.[$w_I],1); f = $w_P(0x00000010,this,this?.[$w_I],{"f":() => {/*@w00000005*/$w_E(0x00000030,$w_f0);try{return $w_c(0x00000020,1)}finally{$w_m(0x00000040)}}}["f"]); static s() {/*@w00000009*/$w_E(0x00000060,$w_f0);try{;$w_v(0x00000080)}finally{$w_m(0x00000070)}} constructor() {/*@w0000000f*/$w_E(0x000000c0,$w_f0);try{ $w_m(0x000000a0),super(); $w_C(0x000000b0,this,this?.[$w_I],this.x = 1) ;$w_v(0x000000e0)}finally{$w_m(0x000000d0)}} get g() {/*@w00000013*/$w_E(0x00000110,$w_f0);try{ return $w_c(0x00000100,1) }finally{$w_m(0x00000120)}} };$w_n(0x00000150,A);;$w_v(0x00000180)}finally{$w_m(0x00000170)}"#
        ]],
    );
}

#[test]
fn switch_statements() {
    check(
        r#"switch (x) { case 1: y = 1; break; default: z() }"#,
        expect![
            "$w_E(0x00000050,0);try{switch ($w_v(0x00000000,x)) { case 1: $w_m(0x00000010);$w_v(0x00000020,y = 1); break; default: $w_m(0x00000030);$w_m(0x00000040),z() };$w_v(0x00000070)}finally{$w_m(0x00000060)}"
        ],
    );
}

#[test]
fn optional_chains() {
    check(
        r#"var a; a?.b.c; v = a?.b(); a?.b(); x?.y?.z"#,
        expect![
            "$w_E(0x00000080,0);try{var a; $w_h(0x00000000,a)?.b.c; $w_v(0x00000010,v = ($w_h(0x00000020,a),$w_m(0x00000030),a?.b())); $w_h(0x00000040,a),$w_m(0x00000050),a?.b(); $w_h(0x00000060,$w_h(0x00000070,x)?.y)?.z;$w_v(0x000000a0)}finally{$w_m(0x00000090)}"
        ],
    );
}

#[test]
fn positions_go_back() {
    let source = "let a = f(1);\n  g(a)\n";
    let instrumented = instrument(source, SourceKind::CommonJs, &Policy::full()).expect("it parses");
    let column =
        instrumented.code.lines().nth(1).and_then(|line| line.find("g(a)")).expect("the call is there") as u32 + 1;
    assert_eq!(instrumented.original_position(source, Position { line: 2, column }), Position { line: 2, column: 3 });
}
