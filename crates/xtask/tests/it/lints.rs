//! Every crate either forbids unsafe code, or must say of each unsafe block why it is sound.

use std::fs;
use std::path::Path;

const WITH_UNSAFE_CODE: &[&str] = &["node-addon", "preload", "record", "trace-format", "trace-store"];

#[test]
fn unsafe_code_is_forbidden_or_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\""));
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        if WITH_UNSAFE_CODE.contains(&name.as_str()) {
            assert!(manifest.contains("undocumented_unsafe_blocks = \"deny\""), "{name}: unsafe blocks need no reason");
            assert!(manifest.contains("unsafe_op_in_unsafe_fn = \"deny\""), "{name}");
        } else {
            assert!(manifest.contains("[lints]\nworkspace = true"), "{name} does not take the lints of the workspace");
        }
    }
}
