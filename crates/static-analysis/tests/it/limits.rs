//! What the analysis could not see, it says.

use static_analysis::{Budget, Hints, SourceUnit, analyse};
use trace_model::CodeKind;

use crate::program::files;

#[test]
fn code_that_cannot_be_parsed_is_told() {
    let files = files("function f() {}\nf();\n");
    let broken =
        SourceUnit { path: "/broken.js", source: "function (", kind: CodeKind::CommonJs, sites: &files[0].sites };
    let whole =
        SourceUnit { path: "/main.js", source: &files[0].source, kind: CodeKind::CommonJs, sites: &files[0].sites };
    let facts = analyse(&[whole, broken], &Hints::default(), &Budget::default());
    assert_eq!(facts.limits.len(), 1, "{:?}", facts.limits);
    assert!(facts.limits[0].starts_with("/broken.js could not be read: "), "{:?}", facts.limits);
    assert_eq!(facts.calls.len(), 1, "the rest is analysed all the same");
}

#[test]
fn a_budget_that_is_used_up_is_told() {
    let mut source = String::from("const all = [];\nfunction add(f) { all.push(f); for (const g of all) g(add); }\n");
    for i in 0..200 {
        source.push_str(&format!("function f{i}(x) {{ x(f{i}); return all; }}\nadd(f{i});\n"));
    }
    let files = files(&source);
    let unit =
        SourceUnit { path: "/main.js", source: &files[0].source, kind: CodeKind::CommonJs, sites: &files[0].sites };
    let facts = analyse(&[unit], &Hints::default(), &Budget { n_steps: 1000, ..Budget::default() });
    assert_eq!(facts.limits.len(), 1, "{:?}", facts.limits);
    assert!(facts.limits[0].contains("stopped") || facts.limits[0].contains("too large"), "{:?}", facts.limits);
}
