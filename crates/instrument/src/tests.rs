//! What is inserted where. `UPDATE_EXPECT=1 cargo test -p instrument` rewrites `tests/instrumented.txt`; a person reads the diff.

use std::collections::BTreeSet;

use expect_test::{expect, expect_file};
use trace_model::{LocalSite, Need, Policy, Position};

use crate::{Dialect, SourceKind, Text, instrument};

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
    ("super inside what the engine prints", "class B extends A { constructor() { super()?.a; super().b() } } () => 1"),
    ("optional chains", "var a; a?.b.c; v = a?.b(); a?.b(); x?.y?.z; a?.(1); o.f?.(a?.(2), 3)?.(4)"),
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
        let instrumented = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses");
        text.push_str(&format!("## {name}\n{source}\n{}\n\n", instrumented.code));
    }
    expect_file!["../tests/instrumented.txt"].assert_eq(&text);
}

#[test]
fn positions_go_back() {
    let source = "let a = f(1);\n  g(a)\n";
    let instrumented = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses");
    let line = instrumented.code.lines().nth(1).expect("there are two lines");
    let column = line.find("g(a)").expect("the call is there") as u32 + 1;
    assert_eq!(instrumented.original_position(source, Position { line: 2, column }), Position { line: 2, column: 3 });
}

#[test]
fn offsets_of_positions() {
    let text = "a\r\n😀b\nc";
    let offset = |line, column| crate::edits::offset_of(text, Position { line, column });
    assert_eq!([offset(1, 1), offset(2, 1), offset(2, 3), offset(3, 2)], [Some(0), Some(3), Some(7), Some(10)]);
    assert_eq!([offset(1, 9), offset(2, 2), offset(2, 9), offset(4, 1), offset(1, 0)], [None; 5]);
}

#[test]
fn positions_of_typescript_go_back() {
    let source = "enum E { A }\nconst x: number = f(E.A);";
    let dialect = Dialect::typescript();
    let text = Text { dialect: Some(&dialect), ..Text::new(source, SourceKind::Module) };
    let instrumented = instrument(text, "", &Policy::full()).expect("it parses");
    let line = instrumented.code.lines().nth(1).expect("there are two lines");
    let column = line.find("f(E.A)").expect("the call is there") as u32 + 1;
    assert_eq!(instrumented.original_position(source, Position { line: 2, column }), Position { line: 2, column: 19 });
    let enter = instrumented.sites.sites.iter().all(|site| (site.span.end as usize) <= source.len());
    assert!(enter, "sites are places of the source");
}

#[test]
fn numbers_move_with_the_base() {
    let instrumented = instrument(Text::new("x = y", SourceKind::CommonJs), "", &Policy::full()).expect("it parses");
    assert!(instrumented.rebased(0x1234).contains("$w_v(0x00012340,x = y)"), "{}", instrumented.rebased(0x1234));
}

fn needed(need: Need, source: &str) -> String {
    instrument(Text::new(source, SourceKind::CommonJs), "app.js", &Policy::Needed(need)).expect("it parses").code
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_long_expression_looks_for_room() {
    let source = format!("v = [{}]", "a ? 1 : 2,".repeat(10_000));
    let instrumented = instrument(Text::new(&source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses");
    assert_eq!(instrumented.code.matches("$w_l(").count(), 2);
}

#[test]
fn only_a_property() {
    let need = Need { properties: names(&["x"]), ..Need::default() };
    let code = |source| needed(need.clone(), source);
    expect![[r#"let $w_1;var o; $w_U(0x00000000,o,$w_L(0x00000000,o,o?.[$w_I]|0),$w_1=o.x = f(1),typeof $w_1=="object"?$w_1?.[$w_I]|0:0,$w_1=0); o.y = 2; g()"#]].assert_eq(&code("var o; o.x = f(1); o.y = 2; g()"));
    expect!["p => {/*@w00000006*/let $w_1,$w_2;return $w_D(0x00000020,($w_1=p.q,$w_2=$w_L(0x00000020,$w_1,$w_1?.[$w_I]|0),$w_1).x = 1,$w_1,$w_2,$w_1=0)};"].assert_eq(&code("p => p.q.x = 1"));
    expect!["class A {/*@w00000009*/ x = $w_P(0x00000000,this,$w_L(0x00000000,this,this?.[$w_I]|0),1); y = 2; m() {/*@w00000008*/ return $w_o(0x00000030,{x:0,x: this.y, z: {y: 1}}); } }"].assert_eq(&code("class A { x = 1; y = 2; m() { return {x: this.y, z: {y: 1}} } }"));
    expect![[r#"function f(o, k) {/*@w0000000c*/let $w_1,$w_2; $w_M(0x00000010,o,o[$w_1=$w_N(o,k)] = 1,$w_1); o[i++] = 2; $w_O(0x00000040,delete ($w_1=o.p)[$w_2=$w_N($w_1,k)],$w_1,$w_2,$w_1=0); $w_a([($w_L(0x00000050,o,o?.[$w_I]|0),o).a, o[$w_1=$w_N(o,k)]] = v,$w_V(0x00000050,o,"a"),$w_V(0x00000060,o,$w_1)); }"#]].assert_eq(&code("function f(o, k) { o[k] = 1; o[i++] = 2; delete o.p[k]; [o.a, o[k]] = v }"));
    expect![[r#"
        let $w_1,$w_2;a
        $w_a(($w_1=a.b,$w_L(0x00000000,$w_1,$w_1?.[$w_I]|0),$w_1).x ??= $w_F(0x00000000,$w_1,$w_1?.[$w_I]|0,f(() => { g })));
        $w_D(0x00000090,($w_1=b,$w_2=$w_L(0x00000090,$w_1,$w_1?.[$w_I]|0),$w_1).x++,$w_1,$w_2,$w_1=0);"#]].assert_eq(&code("a\na.b.x ??= f(() => { g })\nb.x++"));
}

/// The value of a write is not asked for again where a setter may have assigned to its variable meanwhile.
#[test]
fn values_of_writes_are_kept() {
    let code = |source| {
        let text = Text::new(source, SourceKind::CommonJs);
        instrument(text, "app.js", &Policy::full()).expect("it parses").code
    };
    assert!(code("function f(o, v) { o.x = v }").contains("$w_1=o.x = v,typeof $w_1=="));
    assert!(code("function f(o) { let v = o; o.x = v }").contains("$w_1=o.x = v,typeof $w_1=="));
    assert!(code("function f(o) { const v = o; o.x = v }").contains(",o.x = v,typeof v=="));
}

/// The object of a constructor that is certain to write a needed property is met while there is nothing in it.
#[test]
fn constructors_meet_their_object() {
    let need = Need { properties: names(&["x"]), ..Need::default() };
    let met = |source| needed(need.clone(), source).matches("new.target===undefined||$w_J(").count();
    assert_eq!(met("function F(v) { g(); this.x = v }"), 1);
    assert_eq!(met("var F = function () { 'use strict'; this.y = 1; this.x = 2 }"), 1);
    assert_eq!(met("class A { constructor() { this.x = 1 } }"), 1);
    // It may not write it, is no constructor, or the object may be known or have something in it.
    assert_eq!(met("function F(v) { if (v) this.x = v }"), 0);
    assert_eq!(met("function F(v) { this.y = v; v.x = 1 }"), 0);
    assert_eq!(met("async function F() { this.x = 1 } function* G() { this.x = 1 }"), 0);
    assert_eq!(met("var o = { m() { this.x = 1 }, set s(v) { this.x = v } }"), 0);
    assert_eq!(met("function F() { return () => { this.x = 1 } }"), 0);
    assert_eq!(met("class A { x = 0; constructor() { this.x = 1 } }"), 0);
    assert_eq!(met("class A extends B { constructor() { super(); this.x = 1 } }"), 0);
    let everything =
        instrument(Text::new("function F() { this.x = 1 }", SourceKind::CommonJs), "app.js", &Policy::full());
    assert!(!everything.expect("it parses").code.contains("new.target"));
}

/// Elements that a counter counts are nobody's property, as long as it is certain that it counts.
#[test]
fn counters_are_no_property() {
    let need = Need { properties: names(&["x"]), ..Need::default() };
    let is_left_alone = |source: &str| !needed(need.clone(), source).contains("$w_");
    for source in [
        "function f(a) { for (var i = 0; i < 9; i++) a[i] = g(); }",
        "function f(a, n) { let i = n & 7, j; j = i + 1; a[j] = a[i]; a[i ? i : 2] = 1; i += j; }",
        "let k = 0; function up() { k = k + 2; } a[k] = 1;",
        "let k; a[k] = 1; k = 3;",
    ] {
        assert!(is_left_alone(source), "{source}");
    }
    for source in [
        "function f(a, i) { a[i] = 1; i = 0; }",
        "function f(a) { let i = 0; i = g(); a[i] = 1; }",
        "function f(a) { let i = 0; i += g(); a[i] = 1; }",
        "function f(a) { let i = 0, j = g(); i = j; a[i] = 1; }",
        "function f(a) { let i = 0; [i] = g(); a[i] = 1; }",
        "function f(a) { let i = 0; ({ i } = g()); a[i] = 1; }",
        "function f(a) { for (let i in g()) a[i] = 1; }",
        "function f(a) { let i; for (i of g()) a[i] = 1; }",
        "function f(a) { var i = 0; { function i() {} } a[i] = 1; }",
        "function f(a) { let i = 0; eval(g()); a[i] = 1; }",
        "function f(a) { try { g() } catch (i) { a[i] = 1; } }",
        "let i = 0; function f(a) { a[i] = 1; } function g() { i ||= h(); }",
    ] {
        assert!(!is_left_alone(source), "{source}");
    }
    let script = |source| {
        let policy = Policy::Needed(need.clone());
        instrument(Text::new(source, SourceKind::Script), "app.js", &policy).expect("it parses").code
    };
    assert!(script("let i = 0; a[i] = 1;").contains("$w_"), "another script may write it");
}

#[test]
fn a_variable_of_a_closure() {
    let need = Need { lines: [("app.js".to_owned(), 4)].into(), variables: names(&["n"]), ..Need::default() };
    expect![[r#"
        const $w_f0=$w_E(0x00000180,0);try{function make() {/*@w00000011*/const $w_f1=$w_E(0x000000f0,$w_f0);try{
          let n = $w_c(0x00000010,0), m = 0;
          return { up() {/*@w0000000a*/$w_E(0x00000070,$w_f1);try{ $w_u(0x00000050,n++); m++ }finally{$w_m(0x00000080)}}, get() {/*@w0000000e*/$w_E(0x000000c0,$w_f1);try{
            return $w_p(0x000000b0,n,typeof n=="object"?n?.[$w_I]|0:0); }finally{$w_m(0x000000d0)}} };
        }finally{$w_m(0x00000100)}}
        other(() => 1)}finally{$w_m(0x00000190)}"#]].assert_eq(&needed(
        need,
        "function make() {\n  let n = 0, m = 0;\n  return { up() { n++; m++ }, get() {\n    return n } };\n}\nother(() => 1)",
    ));
}

/// It would get a second number, and be two objects for whoever asks.
#[test]
fn an_instance_is_met_once() {
    let source = "function Entry(key) {\n  this.key = key;\n}";
    let need = Need { properties: names(&["key"]), ..Need::default() };
    assert!(needed(need.clone(), source).contains(helper_names::MEET_NEWBORN));
    let with_this = Need { lines: [("app.js".to_owned(), 2)].into(), variables: names(&["this"]), ..need };
    let text = needed(with_this, source);
    assert!(text.contains(helper_names::RECEIVER) && !text.contains(helper_names::MEET_NEWBORN), "{text}");
}

#[test]
fn what_nobody_needs_stays_as_it_is() {
    let source = "#!/usr/bin/env node\n'use strict'\nf = (a = 1) => a.b.c\nclass A { x = () => 1 }\nasync () => { for await (const x of y) z[x] = 1 }";
    let need = Need { variables: names(&["v"]), ..Need::default() };
    assert_eq!(needed(need, source), source);
    // What it evaluates may be anything.
    let need = Need { variables: names(&["v"]), ..Need::default() };
    expect!["function f(s) {/*@w00000006*/ return eval($w_x(eval,s)); }"]
        .assert_eq(&needed(need, "function f(s) { return eval(s) }"));
}

/// Whatever is selected, and wherever, the sites are those of the full instrumentation, and the text still parses.
#[test]
fn sites_do_not_depend_on_the_selection() {
    let mut state = 1u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    for (name, source) in CASES {
        for kind in [SourceKind::CommonJs, SourceKind::Script] {
            let text = Text::new(source, kind);
            let full = instrument(text, "app.js", &Policy::full()).expect("it parses");
            for _ in 0..20 {
                let one_in = 1 + random(8);
                let sites = (0..full.sites.sites.len() as u32).filter(|_| random(one_in) == 0).map(LocalSite).collect();
                let need = Need {
                    sites: [("app.js".to_owned(), sites)].into(),
                    properties: if random(2) == 0 { names(&["p", "a"]) } else { BTreeSet::new() },
                    elements: random(3) == 0,
                    ..Need::default()
                };
                let sparse = instrument(text, "app.js", &Policy::Needed(need)).expect("it parses");
                assert_eq!(sparse.sites.sites, full.sites.sites, "{name}");
                assert_eq!(sparse.sites.variables, full.sites.variables, "{name}");
                assert_eq!(sparse.sites.names, full.sites.names, "{name}");
                let allocator = oxc_allocator::Allocator::default();
                let parsed = js_syntax::parse(&allocator, &sparse.code, kind);
                assert!(parsed.is_ok(), "{name}: {}", sparse.code);
            }
        }
    }
}
