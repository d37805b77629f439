//! The layers of the design, as a test: a crate depends only on crates of lower layers, and what belongs to one layer stays there.

use std::collections::HashMap;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// Crates of the same layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["trace-model"],
    &["trace-format", "js-syntax"],
    &["instrument", "static-analysis", "trace-store"],
    &["query", "record"],
    &["debugger"],
    &["web-server", "dap-server", "mcp-server", "crash-server", "node-addon"],
    &["cli"],
    &["spec-test"],
    &["trials", "xtask"],
];

/// Only these know the syntax tree of JavaScript.
const KNOW_OXC: &[&str] = &["js-syntax", "instrument", "static-analysis"];

/// Protocols: not below the layer of the servers.
const PROTOCOLS: &[&str] = &["serde", "serde_json", "axum", "sqlx", "napi", "napi-sys", "napi-derive"];
const FIRST_LAYER_OF_PROTOCOLS: usize = 5;

/// A front end stands on the façade, and on nothing lower; the addon is no front end, it is inside the debuggee.
const FRONT_ENDS: &[&str] = &["web-server", "dap-server", "mcp-server", "cli"];

#[test]
fn crates_depend_only_on_lower_layers() {
    let layers: HashMap<&str, usize> =
        LAYERS.iter().enumerate().flat_map(|(layer, names)| names.iter().map(move |name| (*name, layer))).collect();
    let mut offences = Vec::new();
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata");
    for package in &metadata.packages {
        let name = package.name.as_str();
        let Some(&layer) = layers.get(name) else {
            offences.push(format!("{name} is in no layer"));
            continue;
        };
        for dependency in dependencies(package) {
            match layers.get(dependency) {
                Some(lower) if *lower >= layer => {
                    offences.push(format!("{name} (layer {layer}) depends on {dependency} (layer {lower})"));
                }
                Some(_) if FRONT_ENDS.contains(&name) && layers[dependency] < layers["debugger"] => {
                    offences.push(format!("{name} depends on {dependency}, past the debugger"));
                }
                _ => {}
            }
            if dependency.starts_with("oxc") && !KNOW_OXC.contains(&name) {
                offences.push(format!("{name} knows oxc"));
            }
            if PROTOCOLS.contains(&dependency) && layer < FIRST_LAYER_OF_PROTOCOLS {
                offences.push(format!("{name} (layer {layer}) depends on {dependency}"));
            }
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

/// What a crate is built from; its tests may use anything.
fn dependencies(package: &Package) -> impl Iterator<Item = &str> {
    let is_normal = |kind: DependencyKind| kind == DependencyKind::Normal;
    package
        .dependencies
        .iter()
        .filter(move |dependency| is_normal(dependency.kind))
        .map(|dependency| dependency.name.as_str())
}
