//! Functions and sites keep their names from release to release, wherever the source around them changed.

use instrument::{SourceKind, Text, instrument, instrument_fully};
use trace_model::{FunctionIndex, FunctionKey, Identities, LocalSite, Need, Policy, SiteTable};

fn identified(source: &str) -> (SiteTable, Identities) {
    let table = instrument_fully(Text::new(source, SourceKind::CommonJs)).expect("it is JavaScript").sites;
    let identities = Identities::of(&table, "shop/cart.js", source);
    (table, identities)
}

fn key_of(source: &str, name: &str) -> FunctionKey {
    let (table, identities) = identified(source);
    let named = table.functions.iter().position(|function| table.name(function.name) == name);
    identities.function(FunctionIndex(named.expect("it is there") as u32))
}

const FIRST: &str =
    "function add(a) { return list.map((x) => x + a); }\nfunction drop(n) { if (n) list.length = n; }\n";

#[test]
fn an_unchanged_function_keeps_its_name() {
    let next = format!("// a new licence\nfunction clear() {{ list = []; }}\n{FIRST}");
    assert_eq!(key_of(FIRST, "add"), key_of(&next, "add"));
    assert_eq!(key_of(FIRST, "drop"), key_of(&next, "drop"));
}

#[test]
fn what_changes_inside_it_is_not_its_own() {
    let next = FIRST.replace("x + a", "x - a");
    assert_eq!(key_of(FIRST, "add"), key_of(&next, "add"));
    let (_, before) = identified(FIRST);
    let (_, after) = identified(&next);
    let n_kept = before.functions().iter().filter(|key| after.functions().contains(key)).count();
    assert_eq!(n_kept, before.functions().len() - 1, "the arrow function is another");
}

#[test]
fn a_changed_function_is_another() {
    assert_ne!(key_of(FIRST, "drop"), key_of(&FIRST.replace("if (n)", "if (!n)"), "drop"));
}

#[test]
fn functions_that_are_alike_are_counted() {
    let (_, identities) = identified("on(() => {}); on(() => {}); on(() => {});");
    let mut keys = identities.functions().to_vec();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 4);
}

#[test]
fn sites_are_found_again_whatever_is_recorded() {
    let (table, identities) = identified(FIRST);
    let nothing = Policy::Needed(Need::default());
    let sparse = instrument(Text::new(FIRST, SourceKind::CommonJs), "cart.js", &nothing).expect("it is JavaScript");
    let of_sparse = Identities::of(&sparse.sites, "shop/cart.js", FIRST);
    for site in (0..table.sites.len() as u32).map(LocalSite) {
        assert_eq!(of_sparse.find_site(identities.site(site)), Some(site));
    }
}

/// The value of a field whose key the source does not tell.
#[test]
fn sites_do_not_depend_on_what_is_recorded() {
    let source = "class A { [k] = f(); [l] = new B(); static [m] = g?.(); }";
    let text = Text::new(source, SourceKind::CommonJs);
    let full = instrument_fully(text).expect("it is JavaScript").sites;
    let frames = Policy::Needed(Need { frames: true, ..Need::default() });
    let sparse = instrument(text, "a.js", &frames).expect("its sites are the same").sites;
    assert_eq!(sparse.sites, full.sites);
}
