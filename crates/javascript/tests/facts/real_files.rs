//! No site is left over: in whole files of packages, where they are installed, in TypeScript, and under other policies.

use std::path::PathBuf;

use instrument::{Dialect, SourceKind, Text, instrument};
use javascript::JavaScript;
use trace_model::{
    CodeFacts, CodeKind, Filter, FunctionKind, Language, Making, Node, Owner, Policy, Site, SiteFacts, SiteKind,
    SiteTable, SourceCode,
};

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

/// Two functions have the same text: the initialiser and what it gives.
#[test]
fn a_function_that_is_a_default_value_has_its_own_entry() {
    let source = "function f(done = () => {}) { done() }";
    let table = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses").sites;
    let facts = facts_of(source, &table);
    let arrow = table.functions.iter().position(|function| function.kind == FunctionKind::Arrow);
    let own = table.sites.iter().zip(&facts.sites).filter(|(site, _)| Some(site.function.0 as usize) == arrow);
    let orders: Vec<(SiteKind, u32)> = own.map(|(site, facts)| (site.kind, facts.order)).collect();
    let expected = [(SiteKind::Enter, 1), (SiteKind::Return, 2), (SiteKind::Exit, 3), (SiteKind::Function, 0)];
    assert!(expected.iter().all(|one| orders.contains(one)), "{orders:?}");
}

/// The value of an `await` that is iterated comes without an event; that the frame goes on is told by the loop.
#[test]
fn an_awaited_iterable_has_no_event_of_its_loop() {
    let source = "async function f() { for (const a of await g()) h(a) }";
    let table = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses").sites;
    let facts = facts_of(source, &table);
    let awaits = facts.expressions.iter().filter_map(|expression| match &expression.node {
        Node::Await { suspend, resume, .. } => Some((suspend.is_some(), *resume)),
        _ => None,
    });
    assert_eq!(awaits.collect::<Vec<_>>(), [(true, None)]);
    check(source, CodeKind::CommonJs, "a.js", &table);
}

/// A run of another version: its sites are found by what they are, and those that are not made any more have no facts.
#[test]
fn sites_of_another_version_are_matched() {
    let source = "function f(a) { if (g(a)) return a.b; h(a) } f(x)";
    let today = instrument(Text::new(source, SourceKind::CommonJs), "", &Policy::full()).expect("it parses").sites;
    let mut other = today.clone();
    other.made = Some(Making { version: 1, ..Making::default() });
    let gone = Site { kind: SiteKind::Carry, ..other.sites[0].clone() };
    other.sites.insert(0, gone);
    other.variables.iter_mut().for_each(|variable| assert!(!matches!(variable.owner, Owner::Block(_))));
    let (now, then) = (facts_of(source, &today), facts_of(source, &other));
    assert_eq!(then.sites[0], SiteFacts::default());
    let order = |facts: &[SiteFacts]| facts.iter().map(|site| (site.order, site.statement)).collect::<Vec<_>>();
    assert_eq!(order(&then.sites[1..]), order(&now.sites));
}

fn facts_of(source: &str, table: &SiteTable) -> CodeFacts {
    let code = SourceCode { source, kind: CodeKind::CommonJs, path: "a.js", made: table.made.as_ref() };
    JavaScript.facts(code, table).expect("it parses")
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
