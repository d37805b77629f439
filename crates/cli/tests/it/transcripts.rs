//! What people see: `cmd/*.md` are transcripts. `TRYCMD=overwrite cargo test -p cli` rewrites them; a person reads the diff.

use std::process::Command;

#[test]
fn transcripts() {
    let node = Command::new("node").arg("--version").output().map(|output| output.stdout).unwrap_or_default();
    let node = String::from_utf8_lossy(&node).trim().to_owned();
    let cases = trycmd::TestCases::new();
    if !node.is_empty() {
        cases.insert_var("[NODE]", node).unwrap();
    }
    cases.case("tests/cmd/*.md");
}
