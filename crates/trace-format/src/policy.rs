//! A policy as text: in `run.txt`, in the environment of the recorded program, and on the command line.
//!
//! Clauses are separated by spaces or `;`. A clause is a list of kinds (`calls,branches`, `all`, `none`) or a list of names
//! (`properties=total,items`, `variables=x`, `functions=merge,app.js:22`), which switches its kind on for these names only.
//! A policy of only `functions=` records everything in them. A backslash takes the next character literally; `\e` is the
//! empty name.

use std::collections::BTreeSet;

use trace_model::{EventKinds, FunctionFilter, Policy};

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("the policy names nothing to record; say for example `all`, `calls,branches` or `properties=total`")]
    NamesNothing,
    #[error(
        "the policy names the unknown kind `{0}`; there are calls, branches, variables, properties, births, all, none"
    )]
    UnknownKind(String),
    #[error("the policy limits `{0}`, which cannot be limited by name; there are functions=, properties=, variables=")]
    UnknownList(String),
    #[error("`{0}=` in the policy is followed by no name")]
    NoNames(String),
}

pub fn policy_text(policy: &Policy) -> String {
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

pub fn parse_policy(text: &str) -> Result<Policy, PolicyError> {
    let mut policy = Policy { kinds: EventKinds::NONE, functions: None, properties: None, variables: None };
    let chars = unescaped(text);
    let mut names_kinds = false;
    for clause in chars.split(|c| is_mark(c, |c| c == ';' || c.is_whitespace())) {
        if clause.is_empty() {
            continue;
        }
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
            let (_, switch) =
                KINDS.iter().find(|(kind, _)| *kind == name).ok_or_else(|| PolicyError::UnknownKind(name.into()))?;
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

    #[test]
    fn what_people_write() {
        let policy = parse_policy("calls,branches; properties=total,items functions=merge,lib/app.js:22").unwrap();
        assert_eq!(policy.kinds, EventKinds { calls: true, branches: true, properties: true, ..EventKinds::NONE });
        assert_eq!(policy.properties, Some(BTreeSet::from(["total".into(), "items".into()])));
        let filters =
            [FunctionFilter::Named("merge".into()), FunctionFilter::AtLine { path: "lib/app.js".into(), line: 22 }];
        assert_eq!(policy.functions, Some(BTreeSet::from(filters)));
        assert_eq!(parse_policy("all"), Ok(Policy::full()));
        assert_eq!(parse_policy("functions=merge").unwrap().kinds, EventKinds::ALL);
    }

    #[test]
    fn what_cannot_be_meant() {
        assert_eq!(parse_policy(""), Err(PolicyError::NamesNothing));
        assert_eq!(parse_policy(" ; ,"), Err(PolicyError::NamesNothing));
        assert_eq!(parse_policy("properties="), Err(PolicyError::NoNames("properties".into())));
        assert_eq!(parse_policy("cals"), Err(PolicyError::UnknownKind("cals".into())));
        assert_eq!(parse_policy("branches=x"), Err(PolicyError::UnknownList("branches".into())));
    }

    fn name() -> impl Strategy<Value = String> {
        prop_oneof!["[a-z]{0,3}", "[a:;,=\\\\ e1\n]{0,5}", any::<String>()]
    }

    fn filter() -> impl Strategy<Value = FunctionFilter> {
        prop_oneof![
            name().prop_map(FunctionFilter::Named),
            (name(), any::<u32>()).prop_map(|(path, line)| FunctionFilter::AtLine { path, line }),
        ]
    }

    proptest! {
        #[test]
        fn a_policy_comes_back(
            on in prop::array::uniform5(any::<bool>()),
            functions in prop::option::of(prop::collection::btree_set(filter(), 1..4)),
            properties in prop::option::of(prop::collection::btree_set(name(), 1..4)),
            variables in prop::option::of(prop::collection::btree_set(name(), 1..4)),
        ) {
            let mut kinds = EventKinds::NONE;
            for ((_, switch), on) in KINDS.iter().zip(on) {
                *switch(&mut kinds) = on;
            }
            prop_assume!(kinds != EventKinds::NONE);
            let policy = Policy {
                kinds,
                functions,
                properties: properties.filter(|_| kinds.properties),
                variables: variables.filter(|_| kinds.variables),
            };
            prop_assert_eq!(parse_policy(&policy_text(&policy)), Ok(policy));
        }
    }
}
