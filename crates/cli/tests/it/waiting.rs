//! What happens when the program has ended: the index is made, by whoever, and nothing that is asked depends on it. Needs the addon
//! (`cargo xtask build`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::support::{project, with_args};

/// Some million events; what is asked for is written at the start, in the middle and at the end.
const PROGRAM: &str = "
let first = 1, last = 0;
const box = { n: 0, early: 1 };
function step(i) { box.n = i * 2; return box.n + i }
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) { sum += step(i); if (i === n >> 1) box.middle = sum }
  return sum;
}
last = work(Number(process.argv[2]));
console.log(first, last, box.n);
";

fn long_program() -> tempfile::TempDir {
    project(&[("app.js", PROGRAM)])
}

fn record(folder: &Path, options: &[&str], n: &str) {
    let args = [&["record"], options, &["--", "node", "app.js", n]].concat();
    let Output { status, stderr, .. } = with_args(folder, &args).output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
}

fn answers(folder: &Path) -> Vec<String> {
    let questions: &[&[&str]] = &[
        &["last-change", "last", "--at", "app.js:11"],
        &["last-change", "first", "--at", "app.js:11"],
        &["last-change", "box.middle", "--at", "app.js:11"],
        &["last-change", "box.early", "--at", "app.js:11"],
        &["last-change", "sum", "--at", "app.js:8"],
        &["state", "--at", "app.js:4#77"],
        &["last-condition", "--at", "app.js:7#99"],
    ];
    let ask = |question: &&[&str]| String::from_utf8(with_args(folder, question).output().unwrap().stdout).unwrap();
    questions.iter().map(ask).collect()
}

fn files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder.join(".wherefore/runs/1")).unwrap().flatten().map(|entry| entry.path());
    all.filter(|path| path.extension().is_some_and(|extension| extension == kind)).collect()
}

fn remove_index(folder: &Path) {
    for path in files(folder, "index").iter().chain(&files(folder, "details")) {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn answers_are_the_same_before_and_after_the_index_is_made() {
    let project = long_program();
    let folder = project.path();
    record(folder, &[], "100000");
    assert!(files(folder, "index").is_empty(), "the program does not wait for an index");
    let before = answers(folder);
    assert!(before[2].contains("box.middle"), "{before:?}");
    assert_eq!(files(folder, "index").len(), 1, "the first question wrote it");
    assert_eq!(answers(folder), before);

    // Two at once, one of which is killed at some time.
    remove_index(folder);
    for _ in 0..4 {
        let mut one = with_args(folder, &["index", ".wherefore/runs/1"]).spawn().unwrap();
        let mut other = with_args(folder, &["index", "--gently", ".wherefore/runs/1"]).spawn().unwrap();
        one.kill().unwrap();
        one.wait().unwrap();
        assert!(other.wait().unwrap().success());
        assert_eq!(answers(folder), before);
        remove_index(folder);
    }
    // Half of it is there, and what somebody left who was killed.
    assert!(with_args(folder, &["index", ".wherefore/runs/1"]).status().unwrap().success());
    let table = files(folder, "index").remove(0);
    let bytes = fs::read(&table).unwrap();
    fs::write(&table, &bytes[..bytes.len() / 2]).unwrap();
    fs::write(table.with_extension("index.815.new"), b"x").unwrap();
    assert_eq!(answers(folder), before);
    assert_eq!(fs::read(&table).unwrap(), bytes, "the rest was added");
}

#[test]
fn a_run_that_is_gone_is_not_indexed() {
    let project = long_program();
    record(project.path(), &[], "100000");
    let mut indexing =
        with_args(project.path(), &["index", ".wherefore/runs/1"]).stderr(Stdio::null()).spawn().unwrap();
    let removed = with_args(project.path(), &["runs", "rm", "1"]).output().unwrap();
    assert!(removed.status.success(), "{}", String::from_utf8_lossy(&removed.stderr));
    indexing.wait().unwrap();
    assert!(!project.path().join(".wherefore/runs/1").exists());
}

#[test]
fn as_much_is_kept_as_was_asked_for() {
    let project = long_program();
    let folder = project.path();
    record(folder, &["--keep-last", "2MB"], "1500000");
    let kept: u64 = ["trace", "index", "details"]
        .iter()
        .flat_map(|kind| files(folder, kind))
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert!((1_800_000..=2_200_000).contains(&kept), "{kept} bytes were kept");
    let Output { stdout, .. } = with_args(folder, &["last-change", "i", "--at", "app.js:4"]).output().unwrap();
    let newest = String::from_utf8(stdout).unwrap();
    assert!(newest.contains("i: 1499999"), "{newest}");
}
