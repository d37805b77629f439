//! What git knows of the code that failed. Needs the addon (`cargo xtask build`) and git.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::run;

fn git(folder: &Path, args: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let status = Command::new("git").current_dir(folder).args(who).args(args).output().unwrap().status;
    assert!(status.success(), "git {args:?}");
}

const PRICES: &str = "\
exports.price = function (amount) {
  let rate = 1;
  if (amount > 5) rate = 0.5;
  return amount * rate;
};
";

const CHECK: &str = "\
const { price } = require('./prices.js');
const total = price(10);
if (total !== 5) throw new Error('the price is ' + total);
";

/// Two commits, of which the second one broke line 3, and a recording.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("check.js"), CHECK).unwrap();
    fs::write(at.join("prices.js"), PRICES).unwrap();
    git(at, &["init", "-q", "-b", "main"]);
    git(at, &["add", "."]);
    git(at, &["commit", "-q", "-m", "one"]);
    fs::write(at.join("prices.js"), PRICES.replace("> 5", "> 50")).unwrap();
    git(at, &["commit", "-q", "-a", "-m", "two"]);
    assert_eq!(run(at, &["record", "--", "node", "check.js"]).0, Some(1));
    folder
}

/// `FILE:LINE since` of each hop that is said to be changed.
fn changed(folder: &Path, args: &[&str]) -> Vec<String> {
    let (_, stdout, stderr) = run(folder, &[&["why", "--format", "json"], args].concat());
    let answer: serde_json::Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let hops = answer["chain"].as_array().unwrap().iter();
    let told = |hop: &serde_json::Value| {
        let (file, line) = (hop["point"]["file"].as_str()?, hop["point"]["line"].as_u64()?);
        Some(format!("{file}:{line} {}", hop["changed_since"].as_str()?))
    };
    hops.filter_map(told).collect()
}

#[test]
fn since_a_revision() {
    let folder = recorded();
    // The newest commit is not implied.
    assert_eq!(changed(folder.path(), &[]), Vec::<String>::new());
    assert_eq!(changed(folder.path(), &["--since", "main~1"]), ["prices.js:3 main~1"]);
    let (_, stdout, _) = run(folder.path(), &["why", "--since", "main~1"]);
    assert!(stdout.contains("changed since main~1"), "{stdout}");
}

#[test]
fn since_the_last_commit() {
    let folder = recorded();
    git(folder.path(), &["reset", "-q", "--soft", "main~1"]);
    assert_eq!(changed(folder.path(), &[]), ["prices.js:3 the last commit"]);
    // Where the file is not what was run any more, nobody knows which line is meant.
    fs::write(folder.path().join("prices.js"), format!("// new\n{PRICES}")).unwrap();
    assert_eq!(changed(folder.path(), &[]), Vec::<String>::new());
}

#[test]
fn a_revision_that_is_none() {
    let folder = recorded();
    let (code, stdout, stderr) = run(folder.path(), &["why", "--since", "--output=x"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    let (code, _, stderr) = run(folder.path(), &["why", "--since", "mian"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("--since mian: git knows no such revision"), "{stderr}");
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    let (code, _, stderr) = run(folder.path(), &["why", "--since", "main"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("is in no git repository"), "{stderr}");
    assert_eq!(changed(folder.path(), &[]), Vec::<String>::new());
}
