//! No dependency is declared and unused, and each that is not ours says what it is for.

use std::fs;
use std::path::Path;

use cargo_metadata::MetadataCommand;

#[test]
fn every_crate_uses_what_it_depends_on() {
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata works in the workspace");
    let mut unused = Vec::new();
    for package in metadata.workspace_packages() {
        let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
        let sources = sources(folder.as_std_path());
        for dependency in &package.dependencies {
            let name = dependency.rename.as_deref().unwrap_or(&dependency.name).replace('-', "_");
            if !mentions(&sources, &name) {
                unused.push(format!("{} does not use {}", package.name, dependency.name));
            }
        }
    }
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn every_dependency_of_the_workspace_is_taken_and_says_what_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo metadata works in the workspace");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let declared = manifest.split_once("[workspace.dependencies]\n").expect("it has them").1;
    let declared = declared.lines().take_while(|line| !line.starts_with('['));
    let mut n_declared = 0;
    for line in declared {
        let Some((name, rest)) = line.split_once(" = ").filter(|(name, _)| !name.contains(['#', ' '])) else {
            continue;
        };
        if rest.contains("path = ") {
            continue;
        }
        n_declared += 1;
        let is_taken = |package: &&cargo_metadata::Package| {
            package
                .dependencies
                .iter()
                .any(|dependency| dependency.rename.as_deref().unwrap_or(&dependency.name) == name)
        };
        assert!(metadata.workspace_packages().iter().any(is_taken), "no crate depends on {name}");
        let says_what_for = rest.split_once(" # ").is_some_and(|(_, purpose)| !purpose.trim().is_empty());
        assert!(says_what_for, "{name} does not say what it is for");
    }
    assert!(n_declared > 30, "only {n_declared} dependencies were found in Cargo.toml");
}

/// All Rust of a crate.
fn sources(folder: &Path) -> String {
    let mut all = String::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    all
}

/// Whether a source names the crate: `name::…`, `use name;`, `extern crate name`.
fn mentions(sources: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    sources.match_indices(name).any(|(at, _)| {
        let (before, after) = (&sources[..at], &sources[at + name.len()..]);
        !before.ends_with(is_part) && (after.starts_with("::") || after.starts_with(';') || after.starts_with(" as "))
    })
}
