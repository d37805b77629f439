//! What is inserted where. `UPDATE_EXPECT=1 cargo test -p instrument` rewrites `tests/instrumented.txt`; a person reads the diff.

use expect_test::expect_file;
use trace_model::{Policy, Position};

use crate::{Dialect, SourceKind, instrument, instrument_typescript};

const CASES: &[(&str, &str)] = &[
    ("a variable write wraps the assignment", "x = y"),
    ("literals are not stored", "x = 1; o.p = 'a'; f = () => null"),
    ("a function is entered and left", "function f(a, b) { 'use strict'; return this.x + a }"),
    ("an arrow gets a body and keeps its name", "const f = x => x + 1"),
    ("calls are marked and their results recorded", "f(g(1)); y = h(2); o.m().n(3); if (p(4)) q"),
    ("property writes keep their base", "var o; o.p = v; a.b.c = v; o[k] = v; o.p++; delete a.b[k]"),
    ("branches and loops", "if (a && b) c ? d : e; for (let i = 0; i < n; i++) fs.push(() => i); while (x, y) z"),
    (
        "nothing is inserted into what the engine prints",
        "const {a, b: [c]} = f(x); for (const v of g(y)) ; o[k](z); new (h())(1)",
    ),
    ("births", "v = {a: 1, b: function () {}, ...c}; w = {a, 'b-c': 2}; u = [1, ,2]; t = [x, y]"),
    (
        "async functions",
        "async function f() { const x = await g(); const {y} = await h(); (await k()).m(); \
         try { await 1 } catch (e) { } finally { } }",
    ),
    (
        "classes",
        "class A extends B { #p = 1; f = () => 1; static s() {} constructor() { super(); this.x = 1 } \
         get g() { return 1 } }",
    ),
    ("switch statements", "switch (x) { case 1: y = 1; break; default: z() }"),
    ("optional chains", "var a; a?.b.c; v = a?.b(); a?.b(); x?.y?.z"),
    ("generators", "function* g() { const x = yield 1; yield; yield* h() } async function* a() { return }"),
    ("objects of members", "x = new K().v; y = [1].length; new K().w"),
    ("patterns", "var a; [a[0], a[i]] = [a[i], a[0]]; ({ p: o.q, r: b = 1, ...c.d } = x); for (o.i of y) ;"),
    ("logical assignments", "var o; x ||= 1; o.a ??= y; b.c[k] &&= z; f ??= () => 1"),
    ("statements without semicolons", "i++\n(a)\nlet f = () => {}\n[b]"),
    ("nothing inside with", "with (o) { a = 1 }"),
];

#[test]
fn insertions() {
    let mut text = String::new();
    for (name, source) in CASES {
        let instrumented = instrument(source, SourceKind::CommonJs, &Policy::full()).expect("it parses");
        text.push_str(&format!("## {name}\n{source}\n{}\n\n", instrumented.code));
    }
    expect_file!["../tests/instrumented.txt"].assert_eq(&text);
}

#[test]
fn positions_go_back() {
    let source = "let a = f(1);\n  g(a)\n";
    let instrumented = instrument(source, SourceKind::CommonJs, &Policy::full()).expect("it parses");
    let line = instrumented.code.lines().nth(1).expect("there are two lines");
    let column = line.find("g(a)").expect("the call is there") as u32 + 1;
    assert_eq!(instrumented.original_position(source, Position { line: 2, column }), Position { line: 2, column: 3 });
}

#[test]
fn positions_of_typescript_go_back() {
    let source = "enum E { A }\nconst x: number = f(E.A);";
    let instrumented =
        instrument_typescript(source, SourceKind::Module, &Dialect::typescript(), &Policy::full()).expect("it parses");
    let line = instrumented.code.lines().nth(1).expect("there are two lines");
    let column = line.find("f(E.A)").expect("the call is there") as u32 + 1;
    assert_eq!(instrumented.original_position(source, Position { line: 2, column }), Position { line: 2, column: 19 });
    let enter = instrumented.sites.sites.iter().all(|site| (site.span.end as usize) <= source.len());
    assert!(enter, "sites are places of the source");
}

#[test]
fn numbers_move_with_the_base() {
    let instrumented = instrument("x = y", SourceKind::CommonJs, &Policy::full()).expect("it parses");
    assert!(instrumented.rebased(0x1234).contains("$w_v(0x00012340,x = y)"), "{}", instrumented.rebased(0x1234));
}
