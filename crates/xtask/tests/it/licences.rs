//! Everything that we depend on comes from the registry, under a licence that deny.toml allows. Advisories need a database that is not in the registry:
//! the workflow for pull requests asks cargo-deny for them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::{MetadataCommand, Package};
use regex::Regex;
use spdx::{Expression, LicenseReq};

#[test]
fn dependencies_come_from_the_registry_under_licences_that_are_allowed() {
    let allowed = allowed();
    let metadata = MetadataCommand::new().exec().expect("cargo metadata works in the workspace");
    let others: Vec<&Package> = metadata.packages.iter().filter(|package| package.source.is_some()).collect();
    assert!(others.len() > 100, "only {} dependencies are listed", others.len());
    let refused: Vec<String> = others.iter().filter_map(|package| refusal(package, &allowed)).collect();
    assert_eq!(refused, Vec::<String>::new());
}

fn refusal(package: &Package, allowed: &BTreeSet<String>) -> Option<String> {
    let name = format!("{} {}", package.name, package.version);
    if !package.source.as_ref().is_some_and(|source| source.is_crates_io()) {
        return Some(format!("{name} does not come from the registry"));
    }
    let Some(licence) = &package.license else { return Some(format!("{name} names no licence")) };
    // Older manifests write a slash for OR.
    let Ok(expression) = Expression::parse(&licence.replace('/', " OR ")) else {
        return Some(format!("{name}: {licence} is not a licence expression"));
    };
    let is_allowed = |requirement: &LicenseReq| allowed.contains(&requirement.to_string());
    (!expression.evaluate(is_allowed)).then(|| format!("{name}: {licence} is not allowed by deny.toml"))
}

/// As deny.toml lists them.
fn allowed() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let text = fs::read_to_string(root.join("deny.toml")).unwrap();
    let list = Regex::new(r"(?s)\[licenses\]\s*allow = \[(.*?)\]").unwrap();
    let list = list.captures(&text).expect("deny.toml lists what is allowed");
    let quoted = Regex::new(r#""([^"]+)""#).unwrap();
    quoted.captures_iter(&list[1]).map(|licence| licence[1].to_owned()).collect()
}
