//! `wherefore ci`: a command as it is, and a report if it failed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What it ended with, and what it printed to stdout and stderr. The summary of a job of our own is not theirs.
fn ci(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.env("WHEREFORE_RUNTIME", runtime).env_remove("GITHUB_STEP_SUMMARY").current_dir(folder);
    let Output { status, stdout, stderr } = command.arg("ci").args(args).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn project(program: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("app.js"), program).unwrap();
    folder
}

const FAILS: &str = "const rate = 0.5;\nconst price = 4 * rate;\nconsole.log('so far');\nif (price !== 4) throw new Error(`it costs ${price}`);\n";

#[test]
fn what_passes_is_not_recorded() {
    let project = project("console.log('fine')");
    let told = ci(project.path(), &["--", "node", "app.js"]);
    assert_eq!(told, (Some(0), "fine\n".into(), String::new()));
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 1);
}

#[test]
fn what_fails_is_explained_and_ends_as_it_did() {
    let project = project(FAILS);
    let summary = project.path().join("summary.md");
    fs::write(&summary, "# Job\n").unwrap();
    let (code, stdout, stderr) =
        ci(project.path(), &["--summary", "summary.md", "--report", "why", "--", "node", "app.js"]);
    assert_eq!((code, stdout.as_str()), (Some(1), "so far\n"), "{stderr}");
    let read = |name: &str| fs::read_to_string(project.path().join(name)).unwrap();
    let markdown = read("why/why.md");
    assert!(markdown.contains("**Error: it costs 2**") && markdown.contains("rate became 0.5"), "{markdown}");
    assert_eq!(read("summary.md"), format!("# Job\n{markdown}"));
    assert!(read("why/why.sarif").contains(r#""message":{"text":"Error: it costs 2"}"#));
    assert!(read("why/why-1.json").starts_with(r#"{"question":{"kind":"why""#));
    assert!(read("why/output-1.txt").starts_with("so far\n"));
    assert!(
        project.path().join("why/failed.wherefore").exists() && !project.path().join("why/passed.wherefore").exists()
    );
}

#[test]
fn what_fails_now_and_then_is_compared_with_a_run_that_passed() {
    // It fails in every second run, the first included.
    let project = project(
        "const fs = require('fs');\nconst n = fs.existsSync('n') ? Number(fs.readFileSync('n')) : 0;\nfs.writeFileSync('n', String(n + 1));\n\
         const percent = n % 2 === 0 ? 10 : 0;\nif (percent > 5) throw new Error(`${percent} off`);\n",
    );
    let (code, _, stderr) = ci(project.path(), &["--runs", "4", "--", "node", "app.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    let markdown = fs::read_to_string(project.path().join("wherefore-report/why.md")).unwrap();
    assert!(
        markdown.contains("It does not fail every time")
            && markdown.contains("The first difference that matters: `app.js:"),
        "{markdown}"
    );
    assert!(project.path().join("wherefore-report/passed.wherefore").exists());

    // Once more, it fails as it is and passes recorded; what was written then is gone.
    fs::write(project.path().join("n"), "0").unwrap();
    assert_eq!(ci(project.path(), &["--", "node", "app.js"]).0, Some(1));
    let markdown = fs::read_to_string(project.path().join("wherefore-report/why.md")).unwrap();
    assert!(markdown.contains("passed when it ran once more, recorded"), "{markdown}");
    assert!(!project.path().join("wherefore-report/why-1.json").exists());
}

#[test]
fn a_command_that_is_not_there_and_a_summary_that_cannot_be_written() {
    let project = project(FAILS);
    let (code, _, stderr) = ci(project.path(), &["--", "no-such-program"]);
    assert_eq!(code, Some(3));
    assert!(stderr.starts_with("wherefore: no-such-program cannot be started"), "{stderr}");
    let (code, _, stderr) = ci(project.path(), &["--summary", "nowhere/x.md", "--", "node", "app.js"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("the summary cannot be written to nowhere/x.md"), "{stderr}");
}
