//! What Node 26 prints, unless a test says otherwise. `tests/generated/stack-names.mjs` compares generated programs.

use trace_model::Position;

use super::*;
use crate::{Text, instrument_fully};

fn names_by(source: &str, kind: SourceKind, version: u32) -> Vec<String> {
    let names = stack_names(source, kind, Rules::of(version)).expect("it parses");
    names.into_iter().map(|name| name.name).collect()
}

#[track_caller]
fn check(source: &str, names: &[&str]) {
    assert_eq!(names_by(source, SourceKind::CommonJs, 14), names, "{source}");
}

#[test]
fn names_and_keys_before_a_function() {
    check("proto.tz = function () {}", &["proto.tz"]);
    check("Foo.prototype.bar = () => 1", &["Foo.bar"]);
    check("module.exports = api.verify = function () {}", &["module.exports.api.verify"]);
    check("exports['a b'] = () => 1; list[0] = () => 2; o[`k`] = () => 3", &["exports.a b", "list.<computed>", "o.k"]);
    check("this.go = () => 1; same(o).x = () => 2; same(o)[k] = () => 3", &["go", "same.x", "same"]);
    check("let a = b || function () {}", &["a"]);
    check("(o.x) = () => 1", &[""]);
}

#[test]
fn a_variable_or_a_key_names_the_function_itself() {
    check("const f = () => 1; f = function () {}; ({ k: () => 2, m() {}, get g() {} })", &[]);
    check("({ __proto__: () => 1, [k]: () => 2, [k]() {} })", &["__proto__", "", ""]);
    check("class A { f = () => 1; #g = () => 2; [k] = () => 3 }", &[""]);
}

#[test]
fn calls_take_the_last_function() {
    check("o.x = call(() => 1)", &[""]);
    check("o.x = call(() => 1, () => 2)", &["", ""]);
    check("call(() => 1, () => 2, () => 3); o.x = 1", &["o.x", "o.x", ""]);
    check("o.n += () => 1", &[""]);
    check("o?.call(() => 1, { k: 2 })", &["o.call.k"]);
}

#[test]
fn an_arrow_function_is_parsed_with_what_is_around_it() {
    check("[() => 1, () => { o.x = 1 }]", &["o.x", ""]);
    check("[() => 1, function () { o.x = 1 }]", &["", ""]);
    check("call((...rest) => { this.x = () => 1 })", &["", "x"]);
}

#[test]
fn functions_in_a_function_are_named_when_it_is_called() {
    check("function Foo() { this.f = () => 1 } function foo() { this.f = () => 1 }", &["Foo.f", "f"]);
    check("class Foo { constructor() { this.f = () => 1 } }", &["Foo.f"]);
    check("o.x = (function () { o.y = () => 1 })()", &["", "o.x.o.y"]);
}

#[test]
fn what_is_compiled_at_once_gets_no_name() {
    check("o.x = (function () {})", &[""]);
    check("o.x = (() => 1)", &[""]);
    assert_eq!(names_by("o.x = (() => 1)", SourceKind::CommonJs, 11), ["o.x"]);
}

#[test]
fn conditions() {
    let source = "a ? 1 : b.c ? o.d = () => 1 : 2";
    check(source, &["o.d"]);
    assert_eq!(names_by(source, SourceKind::CommonJs, 11), ["b.c.o.d"]);
}

#[test]
fn what_is_named_otherwise_in_instrumented_text() {
    let source = "t([() => st(), () => { o.x = 1; }]);";
    let made = instrument_fully(Text::new(source, SourceKind::CommonJs)).expect("it parses");
    let renamed = made.renamed(source, SourceKind::CommonJs, Rules::of(14)).expect("it parses");
    let names: Vec<(&str, &str)> = renamed.iter().map(|name| (&*name.here, &*name.plain)).collect();
    assert_eq!(names, [("", "o.x")]);
    let column = made.code.find("() =>").expect("it is there") as u32 + 1;
    assert_eq!(made.renamed_at(&renamed, Position { line: 1, column }), renamed.first());
    assert_eq!(made.renamed_at(&renamed, Position { line: 2, column }), None);
}
