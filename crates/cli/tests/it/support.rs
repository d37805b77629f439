//! What most tests of the command line need: projects, and the program run in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, with the runtime of the checkout.
pub fn wherefore(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    command.env("WHEREFORE_RUNTIME", runtime).current_dir(folder);
    command
}

/// Its exit code, and what it printed.
pub fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = wherefore(folder).args(args).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Asked for its answer as JSON.
pub fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let (_, stdout, stderr) = run(folder, &[&args[..1], &["--format", "json"], &args[1..]].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
}

/// A folder with these files.
pub fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}
