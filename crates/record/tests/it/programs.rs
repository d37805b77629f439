//! The programs that are run both ways, and the Nodes they are run on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The Node in the path, and those that `WHEREFORE_NODES` names, separated by colons.
pub fn nodes() -> Vec<OsString> {
    let more = std::env::var_os("WHEREFORE_NODES").unwrap_or_default();
    let more = std::env::split_paths(&more).map(PathBuf::into_os_string).filter(|path| !path.is_empty());
    [OsString::from("node")].into_iter().chain(more).collect()
}

pub fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// A folder with a copy of the programs.
pub fn folder_of_programs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(programs()).expect("the programs").flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).expect("a copy");
        }
    }
    folder
}
