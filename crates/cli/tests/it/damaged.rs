//! Runs that are damaged, too new, deleted or written by two at once: a sentence, and nothing lost. Needs the addon
//! (`cargo xtask build`).

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};

use crate::support::wherefore;

const PROGRAM: &str = "\
const cart = { total: 0 };
for (let i = 1; i < 9; i++) {
  cart.total += i;
}
console.log(cart.total);
";

/// A project with a run of it, called `run`.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("app.js"), PROGRAM).unwrap();
    let output = wherefore(folder.path()).args(["record", "-o", "run", "--", "node", "app.js"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    folder
}

/// Exit code and what is told of a question about the total.
fn told(folder: &Path) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } =
        wherefore(folder).args(["last-change", "cart.total", "--run", "run"]).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap())
}

#[test]
fn a_run_of_a_newer_version() {
    let project = recorded();
    let file = project.path().join("run/run.txt");
    let text = fs::read_to_string(&file).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let known: u32 = first.strip_prefix("format\t").unwrap().parse().unwrap();
    fs::write(&file, format!("format\t99\n{rest}")).unwrap();
    let sentence = format!("wherefore: run.txt has format 99; this build reads format {known}\n");
    assert_eq!(told(project.path()), (Some(3), sentence));
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("format\t99\n{rest}"));
}

#[test]
fn a_code_record_whose_source_is_missing() {
    let project = recorded();
    for entry in fs::read_dir(project.path().join("run/code")).unwrap().flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "src") {
            fs::remove_file(entry.path()).unwrap();
        }
    }
    let (code, sentence) = told(project.path());
    assert_eq!(code, Some(3));
    assert!(sentence.contains("; this run no longer holds the code of app.js: "), "{sentence}");
}

#[test]
fn a_run_that_is_deleted() {
    let project = recorded();
    fs::remove_dir_all(project.path().join("run")).unwrap();
    assert_eq!(told(project.path()), (Some(3), "wherefore: run is not a run: it has no run.txt\n".into()));
}

#[test]
fn processes_that_write_points_at_once() {
    let project = recorded();
    // Each asks from a moment of its own, so that each answer is a point of its own: the write of the round before.
    let ask = |round: u32| {
        let at = format!("app.js:3#{round}");
        let args = ["last-change", "cart.total", "--run", "run", "--at", &at, "--format", "json"];
        (round, wherefore(project.path()).args(args).stdout(Stdio::piped()).spawn().unwrap())
    };
    let asking: Vec<(u32, Child)> = (2..=8).map(ask).collect();
    let names = asking.into_iter().map(|(round, child)| {
        let answer: serde_json::Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
        (round, answer["answer"]["point"]["point"].as_str().unwrap().to_owned())
    });
    for (round, name) in names.collect::<Vec<_>>() {
        let output = wherefore(project.path()).args(["eval", "i", "--run", "run", "--at", &name]).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            format!("{}\n", round - 1),
            "{name} is another point now"
        );
    }
}
