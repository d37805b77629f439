//! A policy as text: in `run.txt`, in the environment of the recorded program, and on the command line.
//!
//! Clauses are separated by spaces or `;`. A clause is a list of kinds (`calls,branches`, `all`, `none`) or a list of names
//! (`properties=total,items`, `variables=x`, `functions=merge,app.js:22`), which switches its kind on for these names only.
//! A policy of only `functions=` records everything in them. A backslash takes the next character literally; `\e` is the
//! empty name.
//!
//! A text that begins with `needed` is what questions need ([`Need`]), which people do not write: `elements`, `frames`, and
//! lists of names, of lines (`lines=app.js:22`), of sites (`sites=app.js:17`) and of functions by their keys
//! (`functions=app.js:0123456789abcdef`; `flow=` for what control does in them alone).

use std::collections::BTreeSet;
use std::str::FromStr;

use trace_model::{EventKinds, Filter, FunctionFilter, LocalSite, Need, Policy, did_you_mean};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("the policy names nothing to record; say for example `all`, `calls,branches` or `properties=total`")]
    NamesNothing,
    #[error("the policy names the unknown kind `{kind}`{}{known}", kinds_are(.kind), known = KNOWN.join(", "))]
    UnknownKind { kind: String },
    #[error("the policy limits `{0}`, which cannot be limited by name; there are functions=, properties=, variables=")]
    UnknownList(String),
    #[error("`{0}=` in the policy is followed by no name")]
    NoNames(String),
    #[error("`{0}` in what a question needs has no number")]
    NoNumber(String),
}

fn kinds_are(wanted: &str) -> String {
    match did_you_mean(wanted, KNOWN).as_str() {
        "" => "; there are ".into(),
        near => format!("{near} There are "),
    }
}

pub fn policy_text(policy: &Policy) -> String {
    match policy {
        Policy::Filtered(filter) => filter_text(filter),
        Policy::Needed(need) => need_text(need),
    }
}

pub fn parse_policy(text: &str) -> Result<Policy, PolicyError> {
    let chars = unescaped(text);
    let clauses: Vec<&[Char]> =
        chars.split(|c| is_mark(c, |c| c == ';' || c.is_whitespace())).filter(|clause| !clause.is_empty()).collect();
    match clauses.split_first() {
        Some((first, rest)) if plain(first) == NEEDED => parse_need(rest).map(Policy::Needed),
        _ => parse_filter(&clauses).map(Policy::Filtered),
    }
}

const KNOWN: [&str; 7] = ["calls", "branches", "variables", "properties", "births", "all", "none"];

const NEEDED: &str = "needed";

fn filter_text(policy: &Filter) -> String {
    let is_empty = |names: &Option<BTreeSet<String>>| names.as_ref().is_some_and(BTreeSet::is_empty);
    let mut kinds = policy.kinds;
    kinds.properties &= !is_empty(&policy.properties);
    kinds.variables &= !is_empty(&policy.variables);
    if kinds == EventKinds::NONE || policy.functions.as_ref().is_some_and(BTreeSet::is_empty) {
        return "none".into();
    }
    let mut clauses = Vec::new();
    if kinds == EventKinds::ALL {
        clauses.push("all".to_string());
    } else {
        let named = KINDS.iter().filter(|(_, is_on)| *is_on(&mut kinds)).map(|(name, _)| *name);
        clauses.push(named.collect::<Vec<_>>().join(","));
    }
    let mut limit = |list: &str, names: Vec<String>| clauses.push(format!("{list}={}", names.join(",")));
    if let Some(functions) = &policy.functions {
        limit("functions", functions.iter().map(function_text).collect());
    }
    if let Some(names) = policy.properties.as_ref().filter(|_| kinds.properties) {
        limit("properties", names.iter().map(|name| escaped(name)).collect());
    }
    if let Some(names) = policy.variables.as_ref().filter(|_| kinds.variables) {
        limit("variables", names.iter().map(|name| escaped(name)).collect());
    }
    clauses.join(" ")
}

fn parse_filter(clauses: &[&[Char]]) -> Result<Filter, PolicyError> {
    let mut policy = Filter { kinds: EventKinds::NONE, functions: None, properties: None, variables: None };
    let mut names_kinds = false;
    for clause in clauses {
        if let Some(equals) = clause.iter().position(|c| is_mark(c, |c| c == '=')) {
            let list = plain(&clause[..equals]);
            let names: Vec<&[Char]> = names(&clause[equals + 1..]);
            if names.is_empty() {
                return Err(PolicyError::NoNames(list));
            }
            match list.as_str() {
                "functions" => policy.functions.get_or_insert_default().extend(names.into_iter().map(function)),
                "properties" => {
                    policy.properties.get_or_insert_default().extend(names.into_iter().map(plain));
                    (policy.kinds.properties, names_kinds) = (true, true);
                }
                "variables" => {
                    policy.variables.get_or_insert_default().extend(names.into_iter().map(plain));
                    (policy.kinds.variables, names_kinds) = (true, true);
                }
                _ => return Err(PolicyError::UnknownList(list)),
            }
        } else {
            for kind in names(clause).into_iter().map(plain) {
                switch_on(&mut policy.kinds, &kind)?;
                names_kinds = true;
            }
        }
    }
    if !names_kinds {
        if policy.functions.is_none() {
            return Err(PolicyError::NamesNothing);
        }
        policy.kinds = EventKinds::ALL;
    }
    Ok(policy)
}

fn need_text(need: &Need) -> String {
    let mut clauses = vec![NEEDED.to_string()];
    let switches = [("elements", need.elements), ("frames", need.frames)];
    clauses.extend(switches.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| (*name).to_string()));
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            clauses.push(format!("{name}={}", items.join(",")));
        }
    };
    list("properties", need.properties.iter().map(|name| escaped(name)).collect());
    list("variables", need.variables.iter().map(|name| escaped(name)).collect());
    list("lines", need.lines.iter().map(|(path, line)| format!("{}:{line}", escaped(path))).collect());
    let sites = need.sites.iter().flat_map(|(path, sites)| sites.iter().map(move |site| (path, site.0)));
    list("sites", sites.map(|(path, site)| format!("{}:{site}", escaped(path))).collect());
    let functions = need.functions.iter().flat_map(|(file, keys)| keys.iter().map(move |key| (file, key)));
    list("functions", functions.map(|(file, key)| format!("{}:{key}", escaped(file))).collect());
    let flow = need.flow.iter().flat_map(|(file, keys)| keys.iter().map(move |key| (file, key)));
    list("flow", flow.map(|(file, key)| format!("{}:{key}", escaped(file))).collect());
    clauses.join(" ")
}

fn parse_need(clauses: &[&[Char]]) -> Result<Need, PolicyError> {
    let mut need = Need::default();
    for clause in clauses {
        let Some(equals) = clause.iter().position(|c| is_mark(c, |c| c == '=')) else {
            match plain(clause).as_str() {
                "elements" => need.elements = true,
                "frames" => need.frames = true,
                other => return Err(PolicyError::UnknownKind { kind: other.into() }),
            }
            continue;
        };
        let items = names(&clause[equals + 1..]);
        match plain(&clause[..equals]).as_str() {
            "properties" => need.properties.extend(items.into_iter().map(plain)),
            "variables" => need.variables.extend(items.into_iter().map(plain)),
            "lines" => need.lines = items.into_iter().map(numbered).collect::<Result<_, _>>()?,
            "sites" => {
                for item in items {
                    let (path, site) = numbered(item)?;
                    need.sites.entry(path).or_default().insert(LocalSite(site));
                }
            }
            "functions" => {
                for item in items {
                    let (file, key) = numbered(item)?;
                    need.functions.entry(file).or_default().insert(key);
                }
            }
            "flow" => {
                for item in items {
                    let (file, key) = numbered(item)?;
                    need.flow.entry(file).or_default().insert(key);
                }
            }
            other => return Err(PolicyError::UnknownList(other.into())),
        }
    }
    Ok(need)
}

/// `app.js:22`
fn numbered<N: FromStr>(text: &[Char]) -> Result<(String, N), PolicyError> {
    let colon = text.iter().rposition(|c| is_mark(c, |c| c == ':'));
    let number = colon.and_then(|colon| Some((plain(&text[..colon]), plain(&text[colon + 1..]).parse().ok()?)));
    number.ok_or_else(|| PolicyError::NoNumber(plain(text)))
}

type Switch = fn(&mut EventKinds) -> &mut bool;

const KINDS: [(&str, Switch); 5] = [
    ("calls", |kinds| &mut kinds.calls),
    ("branches", |kinds| &mut kinds.branches),
    ("variables", |kinds| &mut kinds.variables),
    ("properties", |kinds| &mut kinds.properties),
    ("births", |kinds| &mut kinds.births),
];

fn switch_on(kinds: &mut EventKinds, name: &str) -> Result<(), PolicyError> {
    match name {
        "all" => *kinds = EventKinds::ALL,
        "none" => {}
        _ => {
            let (_, switch) = KINDS
                .iter()
                .find(|(kind, _)| *kind == name)
                .ok_or_else(|| PolicyError::UnknownKind { kind: name.into() })?;
            *switch(kinds) = true;
        }
    }
    Ok(())
}

fn function_text(filter: &FunctionFilter) -> String {
    match filter {
        FunctionFilter::Named(name) => escaped(name),
        FunctionFilter::AtLine { path, line } => format!("{}:{line}", escaped(path)),
    }
}

fn function(text: &[Char]) -> FunctionFilter {
    let named = || FunctionFilter::Named(plain(text));
    let Some(colon) = text.iter().rposition(|c| is_mark(c, |c| c == ':')) else { return named() };
    match plain(&text[colon + 1..]).parse() {
        Ok(line) => FunctionFilter::AtLine { path: plain(&text[..colon]), line },
        Err(_) => named(),
    }
}

/// A character, and whether a backslash made it literal. `None`: the empty name.
type Char = (Option<char>, bool);

fn is_mark(c: &Char, is_mark: impl Fn(char) -> bool) -> bool {
    matches!(c, (Some(c), false) if is_mark(*c))
}

fn names(text: &[Char]) -> Vec<&[Char]> {
    text.split(|c| is_mark(c, |c| c == ',')).filter(|name| !name.is_empty()).collect()
}

fn plain(text: &[Char]) -> String {
    text.iter().filter_map(|(c, _)| *c).collect()
}

fn unescaped(text: &str) -> Vec<Char> {
    let mut unescaped = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        unescaped.push(match c {
            '\\' => (chars.next().filter(|c| *c != 'e'), true),
            _ => (Some(c), false),
        });
    }
    unescaped
}

fn escaped(name: &str) -> String {
    if name.is_empty() {
        return "\\e".into();
    }
    let mut escaped = String::new();
    for c in name.chars() {
        if c.is_whitespace() || "\\,;:=".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use trace_model::FunctionKey;

    #[test]
    fn what_people_write() {
        let policy = filter("calls,branches; properties=total,items functions=merge,lib/app.js:22");
        assert_eq!(policy.kinds, EventKinds { calls: true, branches: true, properties: true, ..EventKinds::NONE });
        assert_eq!(policy.properties, Some(BTreeSet::from(["total".into(), "items".into()])));
        let filters =
            [FunctionFilter::Named("merge".into()), FunctionFilter::AtLine { path: "lib/app.js".into(), line: 22 }];
        assert_eq!(policy.functions, Some(BTreeSet::from(filters)));
        assert_eq!(parse_policy("all"), Ok(Policy::full()));
        assert_eq!(filter("functions=merge").kinds, EventKinds::ALL);
    }

    #[test]
    fn what_cannot_be_meant() {
        assert_eq!(parse_policy(""), Err(PolicyError::NamesNothing));
        assert_eq!(parse_policy(" ; ,"), Err(PolicyError::NamesNothing));
        assert_eq!(parse_policy("properties="), Err(PolicyError::NoNames("properties".into())));
        assert_eq!(parse_policy("cals"), Err(PolicyError::UnknownKind { kind: "cals".into() }));
        assert_eq!(parse_policy("branches=x"), Err(PolicyError::UnknownList("branches".into())));
    }

    fn filter(text: &str) -> Filter {
        match parse_policy(text) {
            Ok(Policy::Filtered(filter)) => filter,
            other => panic!("{other:?}"),
        }
    }

    fn name() -> impl Strategy<Value = String> {
        prop_oneof!["[a-z]{0,3}", "[a:;,=\\\\ e1\n]{0,5}", any::<String>()]
    }

    fn function_filter() -> impl Strategy<Value = FunctionFilter> {
        prop_oneof![
            name().prop_map(FunctionFilter::Named),
            (name(), any::<u32>()).prop_map(|(path, line)| FunctionFilter::AtLine { path, line }),
        ]
    }

    proptest! {
        #[test]
        fn a_policy_comes_back(
            on in prop::array::uniform5(any::<bool>()),
            functions in prop::option::of(prop::collection::btree_set(function_filter(), 1..4)),
            properties in prop::option::of(prop::collection::btree_set(name(), 1..4)),
            variables in prop::option::of(prop::collection::btree_set(name(), 1..4)),
        ) {
            let mut kinds = EventKinds::NONE;
            for ((_, switch), on) in KINDS.iter().zip(on) {
                *switch(&mut kinds) = on;
            }
            prop_assume!(kinds != EventKinds::NONE);
            let policy = Policy::Filtered(Filter {
                kinds,
                functions,
                properties: properties.filter(|_| kinds.properties),
                variables: variables.filter(|_| kinds.variables),
            });
            prop_assert_eq!(parse_policy(&policy_text(&policy)), Ok(policy));
        }

        #[test]
        fn a_need_comes_back(
            properties in prop::collection::btree_set(name(), 0..4),
            variables in prop::collection::btree_set(name(), 0..4),
            lines in prop::collection::btree_set((name(), any::<u32>()), 0..4),
            sites in prop::collection::btree_map(
                name(),
                prop::collection::btree_set(any::<u32>().prop_map(LocalSite), 1..4),
                0..3,
            ),
            elements in any::<bool>(),
            frames in any::<bool>(),
            flow in prop::collection::btree_map(
                name(),
                prop::collection::btree_set(any::<u64>().prop_map(FunctionKey), 1..4),
                0..3,
            ),
            functions in prop::collection::btree_map(
                name(),
                prop::collection::btree_set(any::<u64>().prop_map(FunctionKey), 1..4),
                0..3,
            ),
        ) {
            let policy = Policy::Needed(Need { properties, elements, lines, variables, sites, frames, functions, flow });
            prop_assert_eq!(parse_policy(&policy_text(&policy)), Ok(policy));
        }
    }
}
