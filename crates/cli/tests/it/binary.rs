//! What transcripts cannot hold: folders that must not be committed, input and output at once.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::copy_folder;

fn wherefore(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wherefore")).args(args).current_dir(folder).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A project with so many copies of a run.
fn project(n_runs: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/events.in/run");
    for number in 1..=n_runs {
        copy_folder(&run, &folder.path().join(".wherefore/runs").join(number.to_string()));
    }
    folder
}

#[test]
fn runs_are_listed_and_removed() {
    let project = project(4);
    let list = stdout(&wherefore(project.path(), &["runs"]));
    let lines: Vec<_> = list.lines().collect();
    assert!(lines.len() == 5 && lines[4].contains("exit code 0") && lines[4].contains("node shop.js"), "{list}");

    let missing = wherefore(project.path(), &["runs", "rm", "2", "9"]);
    assert_eq!(missing.status.code(), Some(3));
    assert_eq!(stderr(&missing), "wherefore: there is no run 9; there are runs 1, 2, 3, 4\n");

    assert!(wherefore(project.path(), &["runs", "rm", "2"]).status.success());
    assert_eq!(stdout(&wherefore(project.path(), &["runs", "prune", "--keep", "1"])), "removed 2 runs\n");
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&wherefore(project.path(), &["runs", "--format", "json"]))).unwrap();
    assert_eq!((json[0]["run"].as_u64(), json[1].as_null()), (Some(4), Some(())));
    assert_eq!(json[0]["outcome"]["code"], 0);
}

#[test]
fn a_run_is_found_from_a_folder_inside_the_project() {
    let project = project(2);
    let inner = project.path().join("src/deep");
    fs::create_dir_all(&inner).unwrap();
    let events = wherefore(&inner, &["events", "--kind", "threadend"]);
    assert!(stdout(&events).contains("ThreadEnd exit code 0"), "{events:?}");
}

#[test]
fn a_damaged_run_says_so_and_gives_the_rest() {
    let project = project(1);
    let run = project.path().join(".wherefore/runs/1");
    let trace = fs::read_dir(&run)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "trace"));
    let trace = trace.unwrap();
    let bytes = fs::read(&trace).unwrap();
    fs::write(&trace, &bytes[..bytes.len() - 1]).unwrap();
    let events = wherefore(project.path(), &["events"]);
    assert_eq!(events.status.code(), Some(1));
    assert!(stderr(&events).contains(".trace ends inside a segment"), "{events:?}");

    let mut newer = bytes;
    newer[8] = 99;
    fs::write(&trace, newer).unwrap();
    let events = wherefore(project.path(), &["events"]);
    assert!(stderr(&events).contains(".trace has format 99; this build reads format "), "{events:?}");
}

#[test]
fn the_server_answers_line_by_line() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_wherefore"))
        .args(["instrument", "--server"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = server.stdin.take().unwrap();
    let mut answers = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut ask = |request: &str| {
        writeln!(requests, "{request}").unwrap();
        serde_json::from_str::<serde_json::Value>(&answers.next().unwrap().unwrap()).unwrap()
    };
    let answer = ask(r#"{"id":1,"source":"let x = 1;","filename":"a.js","kind":"script","strict":false}"#);
    assert_eq!(answer["id"], 1);
    assert!(answer["code"].as_str().unwrap().contains("$w_"), "{answer}");
    let answer = ask(r#"{"id":"two","source":"let let = ;","filename":"a.mjs","kind":"module","strict":true}"#);
    assert_eq!(answer["id"], "two");
    assert!(answer["error"].is_string() && answer["code"].is_null(), "{answer}");
    let answer = ask("not JSON");
    assert!(answer["error"].is_string());
    drop(requests);
    assert!(server.wait().unwrap().success());
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let runtime = folder.path().join("runtime");
    fs::create_dir(&runtime).unwrap();
    for name in ["preload.cjs", "wherefore.node"] {
        fs::write(runtime.join(name), "").unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_wherefore"))
        .args(["record", "-o", "file/run", "--", "true"])
        .env("WHEREFORE_RUNTIME", &runtime)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).starts_with("wherefore: cannot make a run under file/run: "), "{output:?}");
}

/// `programs/compiled.js` is what esbuild made of the `written.ts` in its source map. Needs the addon (`cargo xtask build`).
#[test]
fn compiled_code_is_reported_as_it_was_written() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    fs::copy(manifest.join("tests/programs/compiled.js"), folder.path().join("compiled.js")).unwrap();
    let recorded = Command::new(env!("CARGO_BIN_EXE_wherefore"))
        .args(["record", "--", "node", "compiled.js"])
        .env("WHEREFORE_RUNTIME", manifest.join("../../packages/runtime"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(stdout(&recorded), "7\n", "{recorded:?}");

    let events = |args: &[&str]| stdout(&wherefore(folder.path(), &[&["events"], args].concat()));
    let total = events(&["--file", "written.ts", "--function", "total"]);
    let places: Vec<_> = total.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    for (line, kind) in [(5, "Enter total"), (6, "Var sum = 0"), (7, "Var sum = 7"), (8, "Return 7"), (9, "Exit")] {
        assert!(total.contains(&format!("written.ts:{line}  {kind}")), "{total}");
    }
    assert!(places.iter().all(|place| place.starts_with("written.ts:")), "{total}");

    let json = events(&["--line", "7", "--kind", "var", "--format", "json"]);
    let mut vars = json.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let sum = vars.rfind(|event| event["names"][0] == "sum").unwrap();
    assert_eq!((&sum["file"], &sum["line"], &sum["column"]), (&"written.ts".into(), &7.into(), &34.into()), "{json}");
}
