//! All that is published together has one version.

use std::fs;
use std::path::Path;

#[test]
fn packages_have_the_version_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let version = env!("CARGO_PKG_VERSION");
    for package in ["packages/npm", "packages/agent", "packages/collect", "editors/vscode"] {
        let file = format!("{package}/package.json");
        let text = fs::read_to_string(root.join(&file)).unwrap();
        let package: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(package["version"], version, "{file}");
        for (name, wanted) in package["optionalDependencies"].as_object().into_iter().flatten() {
            assert_eq!(wanted, version, "{file} takes another version of {name}");
        }
    }
}
