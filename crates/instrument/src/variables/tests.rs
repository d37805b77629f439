//! Which variables there are, what they live in, and which sites write them.
//! `UPDATE_EXPECT=1 cargo test -p instrument` rewrites the answers; a person reads the diff.

use expect_test::{Expect, expect};
use trace_model::{Owner, Policy, SiteTable};

use crate::{SourceKind, Text, instrument};

fn check(kind: SourceKind, source: &str, expected: Expect) {
    let table = instrument(Text::new(source, kind), "", &Policy::full()).expect("it parses").sites;
    let text = |span: trace_model::Span| &source[span.start as usize..span.end as usize];
    let mut answer = String::new();
    for (i, variable) in table.variables.iter().enumerate() {
        let writes: Vec<String> = table
            .sites
            .iter()
            .filter(|site| site.variable.is_some_and(|written| written.0 as usize == i))
            .map(|site| format!("{} `{}`", site.kind.name(), text(site.span)))
            .collect();
        let writes = if writes.is_empty() { "never written".into() } else { writes.join(", ") };
        let owner = owner_text(&table, variable.owner, source);
        answer.push_str(&format!("{} {:?} of {owner}: {writes}\n", table.name(variable.name), variable.kind));
    }
    expected.assert_eq(&answer);
}

fn owner_text(table: &SiteTable, owner: Owner, source: &str) -> String {
    match owner {
        Owner::Global => "the global scope".into(),
        Owner::Function(function) => match table.name(table.function(function).name) {
            "" => format!("function {}", function.0),
            name => name.to_owned(),
        },
        Owner::Block(site) => {
            let span = table.site(site).span;
            format!("each `{}`", &source[span.start as usize..span.end as usize])
        }
    }
}

#[test]
fn declarations_of_a_function() {
    check(
        SourceKind::CommonJs,
        "function f(a, {b}, ...c) { var d; let e; const g = 1; class H {} d = g; e++; ++a; return function i() { i() } }",
        expect![[r#"
            f Function of function 0: Var `function f(a, {b}, ...c) { var d; let e; const g = 1; class H {} d = g; e++; ++a; return function i() { i() } }`
            a Parameter of f: Var `++a`, Param `a`
            b Parameter of f: Param `b`
            c Parameter of f: Param `c`
            d Var of f: Var `d = g`
            e Let of f: Var `e`, VarIncrement `e++`
            g Const of f: Var `g = 1`
            H Class of f: Var `class H {}`
            i Function of i: never written
        "#]],
    );
}

#[test]
fn top_levels() {
    check(
        SourceKind::Script,
        "var a; let b = 1; function f() {} { let c = 2 }",
        expect![[r#"
        a Var of the global scope: never written
        b Let of the global scope: Var `b = 1`
        f Function of the global scope: Var `function f() {}`
        c Let of the global scope: Var `c = 2`
    "#]],
    );
    check(
        SourceKind::Module,
        "import x from 'y'; export let a; export default class B {}",
        expect![[r#"
        x Import of function 0: never written
        a Let of function 0: Var `a`
        B Class of function 0: Var `class B {}`
    "#]],
    );
    check(
        SourceKind::Eval,
        "var a = 1; let b = 2",
        expect![[r#"
        a Var of the global scope: Var `a = 1`
        b Let of the global scope: Var `b = 2`
    "#]],
    );
}

#[test]
fn patterns_and_catch() {
    check(
        SourceKind::CommonJs,
        "let {a, b: [c = 1]} = x; [a, c.d] = y; try { z() } catch (e) { e = 1 } try {} catch ({message}) {}",
        expect![[r#"
            a Let of function 0: Var `a`, Var `a`
            c Let of function 0: Var `c`
            e Catch of function 0: Catch `catch (e) { e = 1 }`, Var `e = 1`
            message Catch of function 0: Var `message`
        "#]],
    );
}

#[test]
fn logical_assignments_and_counting() {
    check(
        SourceKind::CommonJs,
        "let a, b; a ??= 1; b += a; a--; free = 1",
        expect![[r#"
        a Let of function 0: Var `a`, Var `a ??= 1`, VarDecrement `a--`
        b Let of function 0: Var `b`, Var `b += a`
    "#]],
    );
}

#[test]
fn a_loop_without_closures_has_no_scopes() {
    check(
        SourceKind::CommonJs,
        "for (let i = 0; i < 9; i++) { let j; } for (const k of x) y.map(z => z)",
        expect![[r#"
            i Let of function 0: Var `i = 0`, VarIncrement `i++`
            j Let of function 0: Var `j`
            k Const of function 0: Var `k`
            z Parameter of function 1: Param `z`
        "#]],
    );
}

#[test]
fn each_time_round_has_its_own_captured_variables() {
    check(
        SourceKind::CommonJs,
        "for (const k of x) fs.push(() => k)",
        expect![[r#"
        k Const of each `fs.push(() => k)`: Var `k`
    "#]],
    );
    check(
        SourceKind::CommonJs,
        "while (x) { const a = 1; let b; fs.push(() => a) }",
        expect![[r#"
        a Const of each `{ const a = 1; let b; fs.push(() => a) }`: Var `a = 1`
        b Let of each `{ const a = 1; let b; fs.push(() => a) }`: Var `b`
    "#]],
    );
    check(
        SourceKind::CommonJs,
        "do if (x) { let c = 1; f = () => c } while (y)",
        expect![[r#"
        c Let of each `if (x) { let c = 1; f = () => c }`: Var `c = 1`
    "#]],
    );
}

#[test]
fn the_head_of_a_loop_has_its_own_instances() {
    check(
        SourceKind::CommonJs,
        "for (let i = 0, n = 2; i < n; i++) fs.push(() => i)",
        expect![[r#"
            i Let of each `for (let i = 0, n = 2; i < n; i++) fs.push(() => i)`: Var `i = 0`, Carry `i`, VarIncrement `i++`
            n Let of each `for (let i = 0, n = 2; i < n; i++) fs.push(() => i)`: Var `n = 2`, Carry `n`
        "#]],
    );
    check(
        SourceKind::CommonJs,
        "for (let [i] = x; ; ) { let j = i; fs.push(() => i + j) }",
        expect![[r#"
            i Let of each `for (let [i] = x; ; ) { let j = i; fs.push(() => i + j) }`: Var `i`, Carry `i`
            j Let of each `{ let j = i; fs.push(() => i + j) }`: Var `j = i`
        "#]],
    );
}

#[test]
fn loops_in_loops() {
    check(
        SourceKind::CommonJs,
        "for (const a of x) { for (const b of y) { fs.push(() => a + b) } }",
        expect![[r#"
            a Const of each `{ for (const b of y) { fs.push(() => a + b) } }`: Var `a`
            b Const of each `{ fs.push(() => a + b) }`: Var `b`
        "#]],
    );
}

#[test]
fn functions_in_blocks() {
    check(
        SourceKind::CommonJs,
        "if (x) { function f() {} } switch (y) { case 1: function g() {} }",
        expect![[r#"
        f Function of function 0: Var `function f() {}`
        g Function of function 0: Var `function g() {}`
    "#]],
    );
    check(
        SourceKind::Module,
        "{ function f() {} }",
        expect![[r#"
        f Function of function 0: Var `function f() {}`
    "#]],
    );
}

#[test]
fn a_static_block_is_a_function() {
    check(
        SourceKind::CommonJs,
        "function f() { class A { static { let x = 1 } y = z => z } }",
        expect![[r#"
            f Function of function 0: Var `function f() { class A { static { let x = 1 } y = z => z } }`
            A Class of f: Var `class A { static { let x = 1 } y = z => z }`
            x Let of <static_initializer>: Var `x = 1`
            z Parameter of y: Param `z`
        "#]],
    );
}
