//! What most tests of the command line need: projects, and the program run in them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The program, with the runtime of the checkout. The summary of a job of our own is not its.
pub fn wherefore(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.env("WHEREFORE_RUNTIME", repository().join("packages/runtime")).env_remove("GITHUB_STEP_SUMMARY");
    command.current_dir(folder);
    command
}

/// The program with these arguments, and nothing to read.
pub fn with_args(folder: &Path, args: &[&str]) -> Command {
    let mut command = wherefore(folder);
    command.args(args).stdin(Stdio::null());
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
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

/// With all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let copy = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &copy),
            false => drop(fs::copy(entry.path(), copy).unwrap()),
        }
    }
}

/// Waits for a fact.
pub fn until(mut is_so: impl FnMut() -> bool) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < Duration::from_secs(120), "it takes too long");
        thread::sleep(Duration::from_millis(5));
    }
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
