//! ARCHITECTURE.md as a test: a crate depends only on crates of lower layers, and only some know certain libraries.

use std::collections::BTreeMap;

use cargo_metadata::{Metadata, MetadataCommand};

/// A crate that is not here is an error, so that whoever adds one says where it belongs.
const LAYERS: &[(u32, &[&str])] = &[
    (0, &["trace-model", "helper-names", "preload", "test-postgres"]),
    (1, &["event-encoding", "js-syntax", "crash-path", "module-origin"]),
    (2, &["instrument", "trace-format"]),
    (3, &["crash-dump", "javascript", "source-map", "static-analysis", "trace-store"]),
    (4, &["query", "record"]),
    (5, &["debugger"]),
    (6, &["answer-json", "crash-report", "crash-server", "node-addon"]),
    (7, &["dap-server", "mcp-server", "web-server"]),
    (8, &["cli", "collect"]),
    (9, &["ledger-language", "spec-test"]),
    (10, &["fuzz", "trials", "xtask"]),
];

/// Who alone may depend on these.
const KNOWN_ONLY_TO: &[(&str, &[&str])] = &[
    // Who reads events stands on the store, and does not see how they are stored.
    ("event-encoding", &["trace-format", "trace-store"]),
    ("oxc", &["js-syntax", "instrument", "javascript", "static-analysis"]),
    // `xtask` writes the package.json of npm packages.
    (
        "serde",
        &[
            "answer-json",
            "cli",
            "crash-report",
            "crash-server",
            "dap-server",
            "fuzz",
            "mcp-server",
            "node-addon",
            "source-map",
            "web-server",
            "xtask",
        ],
    ),
    ("clap", &["cli", "collect", "fuzz", "xtask"]),
    ("napi", &["node-addon"]),
    // The engine is in no program that people run: what fails in it fails elsewhere.
    ("query", &["crash-report", "debugger", "trials"]),
    ("sqlx", &["crash-server"]),
    ("rmcp", &["mcp-server"]),
];

/// They stand on the façade and on nothing lower; the addon is no front end, it is inside the program.
const FRONT_ENDS: &[&str] = &["answer-json", "cli", "dap-server", "mcp-server", "web-server"];
const FACADE: &str = "debugger";
const FACADE_LAYER: u32 = 5;

#[test]
fn front_ends_stand_on_the_facade() {
    let lower: Vec<&str> =
        LAYERS.iter().filter(|(layer, _)| *layer < FACADE_LAYER).flat_map(|(_, crates)| *crates).copied().collect();
    for package in metadata().workspace_packages() {
        let name = package.name.as_str();
        let is_built_from = |kind| kind == cargo_metadata::DependencyKind::Normal;
        for dependency in package.dependencies.iter().filter(|dependency| is_built_from(dependency.kind)) {
            let is_past = FRONT_ENDS.contains(&name) && lower.contains(&dependency.name.as_str());
            assert!(!is_past, "{name} depends on {}, past {FACADE}", dependency.name);
        }
    }
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let metadata = metadata();
    let layers: BTreeMap<&str, u32> =
        LAYERS.iter().flat_map(|(layer, crates)| crates.iter().map(|name| (*name, *layer))).collect();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let layer = layers.get(name).unwrap_or_else(|| panic!("{name} has no layer: add it to LAYERS"));
        for dependency in &package.dependencies {
            if let Some(below) = layers.get(dependency.name.as_str()) {
                assert!(below < layer, "{name} (layer {layer}) depends on {} (layer {below})", dependency.name);
            }
        }
    }
}

#[test]
fn libraries_are_known_only_where_they_belong() {
    for package in metadata().workspace_packages() {
        for dependency in &package.dependencies {
            let library = dependency.name.split(['_', '-']).next().unwrap_or_default();
            for (known, to) in KNOWN_ONLY_TO.iter().filter(|(known, _)| [library, &dependency.name].contains(known)) {
                assert!(to.contains(&package.name.as_str()), "{} must not know {known}", package.name);
            }
        }
    }
}

fn metadata() -> Metadata {
    MetadataCommand::new().no_deps().exec().expect("cargo metadata works in the workspace")
}
