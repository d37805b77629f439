//! No site is left over: in whole files of packages, where they are installed, in TypeScript, and under other policies.

use std::path::PathBuf;

use instrument::{Dialect, SourceKind, Text, instrument};
use javascript::JavaScript;
use trace_model::{CodeKind, Filter, Language, Policy, SiteKind, SiteTable, SourceCode};

const FILES: &[&str] = &[
    "esprima/dist/esprima.js",
    "express/lib/router/index.js",
    "debug/src/node.js",
    "@babel/core/lib/transformation/index.js",
    "@babel/parser/lib/index.js",
    "@babel/traverse/lib/path/context.js",
    "qs/lib/parse.js",
    "typescript/lib/typescript.js",
];

#[test]
fn every_site_has_its_facts() {
    let packages = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../bench/node_modules");
    for file in FILES {
        // Only there once the benchmarks were installed.
        let Ok(source) = std::fs::read_to_string(packages.join(file)) else { continue };
        let table = instrument(Text::new(&source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses").sites;
        check(&source, CodeKind::CommonJs, file, &table);
    }
}

#[test]
fn typescript_is_reported_at_its_places() {
    let source = "enum E { A = 1 }\nclass P<T> { constructor(private x: T, public y?: number) { this.z = x as any } }\n\
                  export function f<T>(a: T[], b: number = g<T>(E.A)): T { for (const c of a) if (c) return c!; return h(b) }\n\
                  namespace N { export const q: string = `${f([1])}` }\nlet v: unknown;";
    let typescript = Dialect::typescript();
    let text = Text { dialect: Some(&typescript), ..Text::new(source, SourceKind::Module) };
    let made = instrument(text, "", &Policy::full()).expect("it parses");
    check(source, CodeKind::Module, "a.ts", &made.sites);
}

#[test]
fn tables_without_some_kinds_of_event() {
    let source = "function f(a = g()) { if (h(a)) return a?.b; for (const c of d) i(c && j(), k ??= l()) } f(); x = f";
    for without in ["variables", "properties", "branches", "births", "calls"] {
        let mut filter = Filter::full();
        match without {
            "variables" => filter.kinds.variables = false,
            "properties" => filter.kinds.properties = false,
            "branches" => filter.kinds.branches = false,
            "births" => filter.kinds.births = false,
            _ => filter.kinds.calls = false,
        }
        let policy = Policy::Filtered(filter);
        let table = instrument(Text::new(source, SourceKind::CommonJs), "", &policy).expect("it parses").sites;
        check(source, CodeKind::CommonJs, without, &table);
    }
}

/// No site is left without facts but those that have no event.
fn check(source: &str, kind: CodeKind, path: &str, table: &SiteTable) {
    let code = SourceCode { source, kind, path, made: table.made.as_ref() };
    let facts = JavaScript.facts(code, table).expect("it parses");
    let has_event = |kind| !matches!(kind, SiteKind::Function | SiteKind::Class);
    let left: Vec<String> = table
        .sites
        .iter()
        .zip(&facts.sites)
        .filter(|(site, facts)| facts.order == 0 && has_event(site.kind))
        .map(|(site, _)| {
            let text = &source[site.span.start as usize..site.span.end as usize];
            format!("{} {}: {text:.80}", site.kind.name(), site.span.start)
        })
        .take(20)
        .collect();
    assert!(left.is_empty(), "{path}: not found: {left:#?}");
}
