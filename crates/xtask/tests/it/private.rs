//! Whatever may hold something of a recorded program is made by `trace_format::private`, so that it is the user's alone.

use std::fs;
use std::path::Path;

const CRATES: &[&str] = &["trace-format", "trace-store", "record", "debugger", "node-addon", "cli"];

/// What makes files and folders that others can read.
const OPEN: &[&str] = &[
    " File::create",
    "(File::create",
    "fs::File::create",
    "fs::write(",
    "fs::copy(",
    "fs::create_dir",
    ".create(true)",
    ".create_new(true)",
    "DirBuilder",
];

/// The folders around a run, where `-o` says that it is to lie, are not ours. Manual pages are for everybody.
const ALLOWED: &[(&str, &str)] =
    &[("record/src/folder.rs", "fs::create_dir_all(parent)"), ("cli/src/shell.rs", "fs::create_dir_all(&folder)")];

#[test]
fn only_private_files_are_made() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of crates");
    let mut found = Vec::new();
    for name in CRATES {
        visit(&crates.join(name).join("src"), &mut |path, text| {
            let own = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_allowed =
                |line: &str| ALLOWED.iter().any(|(file, part)| path.ends_with(file) && line.contains(part));
            let is_open = |line: &&str| !line.contains("private::") && OPEN.iter().any(|open| line.contains(open));
            let lines = own.lines().filter(is_open).filter(|line| !is_allowed(line));
            found.extend(lines.map(|line| format!("{}: {}", path.display(), line.trim())));
        });
    }
    assert!(found.is_empty(), "use trace_format::private for\n{}", found.join("\n"));
}

fn visit(folder: &Path, each: &mut dyn FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            visit(&path, each);
        } else if !path.ends_with("trace-format/src/private.rs") && !path.ends_with("tests.rs") {
            each(&path, &fs::read_to_string(&path).expect("a source"));
        }
    }
}
