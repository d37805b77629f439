//! A command in which nothing can be explained: one sentence that says why, whoever asks. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{project, run, wherefore};

const RECORDS: &str = "Wherefore records Node 20, 22, 24 and 26";

/// `why`, `record`, `open` and `ci` say the sentence, and end with these codes: `why`, and the command itself.
fn check(folder: &Path, command: &[&str], sentence: &str, (of_why, of_command): (i32, i32)) {
    let ask = |question: &[&str]| run(folder, &[question, &["--"], command].concat());
    let (code, stdout, stderr) = ask(&["why"]);
    assert_eq!((code, stdout.as_str()), (Some(of_why), ""), "{stderr}");
    assert_eq!(said(&stderr), [sentence], "{stderr}");
    let (code, _, stderr) = run(folder, &["why"]);
    assert_eq!((code, said(&stderr)), (Some(of_why), vec![sentence.to_owned()]));

    let (code, _, stderr) = ask(&["record"]);
    assert_eq!(code, Some(of_command), "{stderr}");
    assert!(said(&stderr).contains(&sentence.to_owned()), "{stderr}");

    let (code, _, stderr) = ask(&["ci"]);
    assert_eq!(code, Some(of_command), "{stderr}");
    if of_command != 0 {
        let markdown = fs::read_to_string(folder.join("wherefore-report/why.md")).unwrap();
        // Markdown escapes what has a meaning there.
        let plain = |text: &str| text.replace(['\\', '`'], "");
        assert!(plain(&markdown).contains(&plain(sentence)), "{markdown}");
    }
}

/// What we said, without what is said of every run.
fn said(stderr: &str) -> Vec<String> {
    let ours = stderr.lines().filter_map(|line| line.strip_prefix("wherefore: "));
    ours.filter(|line| !line.contains(" events, ")).map(str::to_owned).collect()
}

#[test]
fn no_node() {
    let project = project(&[]);
    check(
        project.path(),
        &["sh", "-c", "exit 3"],
        &format!("no program ran in Node.js, so nothing was recorded; {RECORDS}"),
        (1, 3),
    );
    check(
        project.path(),
        &["python3", "-c", "print(1)"],
        &format!("python3 is not Node.js, so nothing was recorded; {RECORDS}"),
        (1, 0),
    );
}

#[test]
fn a_script_that_is_not_there() {
    let scripts = r#"{ "scripts": { "build": "tsc", "lint": "eslint ." } }"#;
    let project = project(&[("package.json", scripts)]);
    let file = project.path().canonicalize().unwrap().join("package.json");
    let sentence = format!("{} has no script `tset`; it has build, lint", file.display());
    check(project.path(), &["npm", "run", "tset"], &sentence, (1, 1));
}

#[test]
fn a_file_that_is_not_there() {
    let project = project(&[]);
    let (code, stdout, stderr) = run(project.path(), &["why", "--", "node", "missing.js"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    let file = project.path().canonicalize().unwrap().join("missing.js");
    let sentence =
        format!("Error: Cannot find module '{}': it ended the program before any recorded code ran", file.display());
    assert_eq!(said(&stderr), [sentence]);
}

#[test]
fn a_project_without_tests() {
    let project = project(&[("package.json", r#"{ "scripts": { "test": "node --test" } }"#)]);
    check(project.path(), &["npm", "test"], "node --test ran no tests; the command ended with exit code 0", (1, 0));
}

#[test]
fn a_process_that_was_killed() {
    let project = project(&[
        ("package.json", r#"{ "scripts": { "test": "node app.js" } }"#),
        ("app.js", "let step = 1;\nstep = 2;\nprocess.kill(process.pid, 'SIGKILL');\n"),
    ]);
    let (code, stdout, stderr) = run(project.path(), &["why", "--", "sh", "-c", "node app.js; exit $?"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("SIGKILL ended the program\napp.js:3"), "{stdout}");
}

#[test]
fn what_is_left_out_by_hand() {
    let project = project(&[("app.js", "null.x;\n")]);
    let (code, _, stderr) = run(project.path(), &["why", "--exclude", "**/app.js", "--", "node", "app.js"]);
    let sentence = "no code was recorded: --include and --exclude leave none of what the program loaded";
    assert_eq!((code, said(&stderr)), (Some(1), vec![sentence.to_owned()]));
}

/// The text behind `-e` is recorded as any other.
#[test]
fn code_of_the_command_line() {
    let project = project(&[]);
    let program = "const cart = { total: 1 };\ncart.offers.push(2);";
    let (code, stdout, stderr) = run(project.path(), &["why", "--", "node", "-e", program]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("TypeError: Cannot read properties of undefined (reading 'push')\n"), "{stdout}");
    assert!(stdout.contains("[eval]:2  P1"), "{stdout}{stderr}");
}

/// Node forbids addons then: it runs as if nobody recorded, wherever the option is given, and so do the others beside it.
#[test]
fn the_permission_model() {
    let allowed = "--experimental-permission --allow-fs-read=*";
    let scripts = format!(
        r#"{{ "scripts": {{ "test": "node {allowed} app.js", "options": "NODE_OPTIONS='{allowed}' node app.js", "both": "node other.js && node {allowed} app.js" }} }}"#
    );
    let app = "try {\n  require('fs').writeFileSync('out', '');\n} catch (error) {\n  console.log(error.code, process.execArgv.length);\n  process.exitCode = 4;\n}\n";
    let project = project(&[
        ("package.json", &scripts),
        ("app.js", app),
        ("other.js", "let other = 1;\n"),
        ("tool", &format!("#!/usr/bin/env -S node {allowed}\n{app}")),
    ]);
    let mode = Command::new("chmod").args(["+x", "tool"]).current_dir(project.path()).status().unwrap();
    assert!(mode.success());
    let sentence = "a process ran with Node's permission model, which forbids addons, so it was not recorded";
    for command in
        [&["npm", "-s", "test"][..], &["npm", "-s", "run", "options"], &["./tool"], &["npm", "-s", "run", "both"]]
    {
        let plain = Command::new(command[0]).args(&command[1..]).current_dir(project.path()).output().unwrap();
        let (code, stdout, stderr) = run(project.path(), &[&["record", "--"][..], command].concat());
        assert_eq!((code, stdout.as_bytes()), (plain.status.code(), &plain.stdout[..]), "{command:?} {stderr}");
        assert!(stdout.starts_with("ERR_ACCESS_DENIED"), "{stdout}");
        assert!(said(&stderr).contains(&sentence.to_owned()), "{stderr}");
    }
    assert!(run(project.path(), &["sources"]).1.starts_with("other.js  1 of 1 lines executed"));
    // What the program is given is its own affair.
    let (_, _, stderr) = run(project.path(), &["record", "--", "node", "other.js", "--permission"]);
    assert_eq!(said(&stderr), [] as [&str; 0]);
}

#[test]
fn all_tests_pass() {
    let test = "const test = require('node:test');\ntest('one', () => {});\ntest('two', () => {});\n";
    let project = project(&[("a.test.js", test)]);
    for command in [&["why", "--", "node", "--test"][..], &["why"], &["failures"]] {
        let (code, stdout, stderr) = run(project.path(), command);
        assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
        assert_eq!(said(&stderr), ["nothing failed: all 2 tests that ran passed"]);
    }
    assert_eq!(run(project.path(), &["ci", "--", "node", "--test"]).0, Some(0));
}

#[test]
fn a_node_that_is_not_supported() {
    let nodes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/nodes/node_modules/unsupported-x64/bin");
    // `cargo xtask test` installs it.
    if !nodes.join("node").exists() {
        return;
    }
    let project = project(&[("app.js", "process.exitCode = 5;\n")]);
    let node = nodes.join("node");
    let version = Command::new(&node).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap().trim().trim_start_matches('v').to_owned();
    let sentence = format!("Node {version} is not supported, and what it ran is not recorded; {RECORDS}");
    let output = wherefore(project.path()).args(["why", "--"]).arg(&node).arg("app.js").output().unwrap();
    assert_eq!((output.status.code(), said(&String::from_utf8(output.stderr).unwrap())), (Some(1), vec![sentence]));
}
