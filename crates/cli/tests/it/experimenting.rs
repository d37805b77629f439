//! Runs with one thing different: each kind of change, what a search finds, and what is refused. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{json, project, run, until, wherefore};

/// All files of a folder with their texts, but for the recordings.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.file_name() != ".wherefore");
    let text = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap_or_default())
    };
    let mut all: Vec<_> = entries.map(text).collect();
    all.sort();
    all
}

const PRICES: &str = "\
function isMember(user) {
  return user.since > 2020;
}
exports.price = function (user, amount) {
  let rate = 1;
  if (isMember(user)) rate = 0.5;
  return amount * rate;
};
";

const CHECK: &str = "\
const assert = require('assert');
const { price } = require('./prices.js');
assert.strictEqual(price({ since: 2021 }, 10), 5);
const asked = price({ since: 2020 }, 10);
assert.strictEqual(asked, 5);
console.log('all right');
";

fn shop() -> tempfile::TempDir {
    let project = project(&[("prices.js", PRICES), ("check.js", CHECK)]);
    let (code, ..) = run(project.path(), &["record", "--", "node", "check.js"]);
    assert_eq!(code, Some(1));
    project
}

#[test]
fn a_decision_turned_at_one_hit() {
    let project = shop();
    let before = contents(project.path());
    let (code, stdout, stderr) = run(project.path(), &["try", "prices.js:6#2", "--turn"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.starts_with("had `isMember(user)` been true here\n"), "{stdout}");
    assert!(
        stdout.contains("it ends with exit code 0; before it ended with exit code 1\nthe failure is gone\n"),
        "{stdout}"
    );
    assert!(
        stdout.contains("it got past the failure and reached check.js:6, which the earlier run never did"),
        "{stdout}"
    );
    assert!(stdout.contains("  + out: all right"), "{stdout}");
    assert!(stderr.contains("runs `node check.js`"), "{stderr}");
    assert_eq!(contents(project.path()), before);
}

#[test]
fn the_other_hit_makes_another_failure() {
    let project = shop();
    let answer = json(project.path(), &["try", "prices.js:6#1", "--turn"]);
    let answer = &answer["answer"];
    assert_eq!((&answer["applied"], &answer["reached"]), (&true.into(), &serde_json::Value::Null), "{answer}");
    assert_ne!(answer["failure"], "none");
}

#[test]
fn a_value_replaced_and_a_statement_left_out() {
    let project = shop();
    let answer = json(project.path(), &["try", "prices.js:7#2", "--value", "amount / 2"]);
    let answer = &answer["answer"];
    assert_eq!((&answer["failure"], &answer["reached"]["line"]), (&"gone".into(), &6.into()), "{answer}");
    // Leaving the assertion out is no way past it.
    let answer = json(project.path(), &["try", "check.js:5", "--skip"]);
    let answer = &answer["answer"];
    assert_eq!((&answer["failure"], &answer["after"]), (&"gone".into(), &"with exit code 0".into()), "{answer}");
    assert_eq!(answer["reached"], serde_json::Value::Null, "{answer}");
    let (code, _, stderr) = run(project.path(), &["try", "prices.js:7#2", "--value", "1) + (2"]);
    assert_ne!(code, Some(0));
    assert!(stderr.contains("is not an expression that can stand there"), "{stderr}");
}

#[test]
fn the_search_proves_the_decision() {
    let project = project(&[("prices.js", PRICES), ("check.js", CHECK)]);
    let folder = project.path();
    let (code, stdout, stderr) = run(folder, &["why", "--experiment", "--", "node", "check.js"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("wherefore: runs `node check.js` up to 100 times, for at most 30 s"), "{stderr}");
    assert!(
        stdout.contains("had `isMember(user)` been true here") && stdout.contains(", the program would not fail"),
        "{stdout}"
    );
    assert!(stdout.split(|c: char| !c.is_alphabetic()).all(|word| word != "cause"), "{stdout}");
    let answer = json(folder, &["why", "--experiment", "--budget", "20,20s"]);
    let experiments = &answer["experiments"];
    assert!(experiments["runs"].as_u64().unwrap() <= 20, "{experiments}");
    let lines = experiments["proven"].as_array().unwrap().iter().map(|it| it["point"]["line"].as_u64());
    assert!(lines.clone().any(|line| line == Some(6)) || lines.clone().any(|line| line == Some(2)), "{experiments}");
    // Neither the check itself nor what is behind it.
    let all = experiments["proven"].as_array().unwrap();
    assert!(all.iter().all(|it| it["point"]["file"] == "prices.js"), "{experiments}");
}

#[test]
fn a_test_runner_and_es_modules() {
    let project = project(&[
        ("package.json", "{\"type\": \"module\"}"),
        (
            "sum.js",
            "export function sum(list) {\n  let total = 0;\n  for (let i = 0; i < list.length - 1; i++) total += list[i];\n  return total;\n}\n",
        ),
        (
            "sum.test.js",
            "import test from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from './sum.js';\ntest('empty', () => assert.equal(sum([]), 0));\ntest('one', () => assert.equal(sum([5]), 5));\n",
        ),
    ]);
    let answer = json(project.path(), &["why", "--experiment", "--", "node", "sum.test.js"]);
    let proven = answer["experiments"]["proven"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let text = "had `i < list.length - 1` been true here, the test would pass";
    assert!(proven.iter().any(|it| it["text"] == text && it["point"]["line"] == 3), "{answer}");
}

#[test]
fn a_failure_that_does_not_come_again() {
    let project =
        project(&[("once.js", "if (process.env.FAILS) throw new Error('only then');\nif (1 > 2) console.log();\n")]);
    let folder = project.path();
    wherefore(folder).args(["record", "--", "node", "once.js"]).env("FAILS", "1").output().unwrap();
    let (code, stdout, stderr) = run(folder, &["why", "--experiment"]);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("only then"), "{stdout}");
    let said = "no experiments: the failure does not happen again: the run ended with exit code 1, and now it ended with exit code 0";
    assert!(stderr.contains(said), "{stderr}");
    let (code, _, stderr) = run(folder, &["try", "once.js:1", "--turn"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("the failure does not happen again"), "{stderr}");
}

#[test]
fn a_program_that_hangs_when_it_is_turned() {
    let project = project(&[(
        "hang.js",
        "let n = 0;\nwhile (n !== 3) n++;\nif (n > 2) n = 0;\nif (n === 0) throw new Error('none left');\n",
    )]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "hang.js"]);
    let since = Instant::now();
    let answer = json(folder, &["try", "hang.js:2", "--turn"]);
    let stopped = answer["answer"]["stopped"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(stopped.starts_with("it still ran after five times as long"), "{answer}");
    assert!(since.elapsed() < Duration::from_secs(60));
    // The search goes on beyond it.
    let answer = json(folder, &["why", "--experiment"]);
    let proven = answer["experiments"]["proven"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert!(proven.iter().any(|it| it["point"]["line"] == 3), "{answer}");
}

#[test]
fn effects_beyond_the_folder_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("log.txt");
    let source = format!(
        "const fs = require('fs');\nfs.appendFileSync({file:?}, 'x');\nif (fs.existsSync('nothing')) console.log();\nthrow new Error('bad');\n"
    );
    let project = project(&[("log.js", &source)]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "log.js"]);
    let (_, _, stderr) = run(folder, &["why", "--experiment"]);
    assert!(stderr.contains("the program reaches beyond its folder"), "{stderr}");
    assert!(stderr.contains("log.txt; --allow-effects runs it anyway"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    let (code, _, stderr) = run(folder, &["try", "log.js:3", "--turn"]);
    assert_eq!(code, Some(3));
    assert!(stderr.contains("the program reaches beyond its folder"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "x");
    let (code, _, stderr) = run(folder, &["try", "log.js:3", "--turn", "--allow-effects"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(fs::read_to_string(&file).unwrap().len() > 1);
}

#[test]
fn other_programs_and_hosts_are_refused() {
    let child = "require('child_process').execSync('true');\nif (process.argv.length > 9) console.log();\nthrow new Error('bad');\n";
    let host = "require('net').connect(5432, 'db.example').on('error', () => { throw new Error('bad'); });\n";
    let project = project(&[("child.js", child), ("host.js", host)]);
    for (file, what) in [("child.js", "it starts "), ("host.js", "it connects to db.example:5432")] {
        run(project.path(), &["record", "--", "node", file]);
        let (_, _, stderr) = run(project.path(), &["why", "--experiment"]);
        assert!(stderr.contains("no experiments: ") && stderr.contains(what), "{stderr}");
    }
}

#[test]
fn what_a_program_writes_in_its_folder_stays_out_of_it() {
    let source = "const fs = require('fs');\nfs.writeFileSync('state.txt', 'written');\nlet n = 1;\nif (n > 0) n = 2;\nif (n === 2) throw new Error('two');\n";
    let project = project(&[("state.js", source), ("state.txt", "first")]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "state.js"]);
    fs::write(folder.join("state.txt"), "first").unwrap();
    let before = contents(folder);
    let (code, stdout, stderr) = run(folder, &["why", "--experiment"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains("had `n > 0` been false here, the program would not fail"), "{stdout}{stderr}");
    assert_eq!(contents(folder), before);
}

#[test]
fn every_test_fails_and_no_test_fails() {
    let failing = "const test = require('node:test');\nconst f = (n) => { if (n > 0) return 1; return 0; };\ntest('a', () => { if (f(0) !== 1) throw new Error('a fails'); });\ntest('b', () => { if (f(-1) !== 1) throw new Error('b fails'); });\n";
    let passing = "console.log('fine');\n";
    let project = project(&[("all.js", failing), ("none.js", passing)]);
    let folder = project.path();
    let (code, _, stderr) = run(folder, &["why", "--experiment", "--budget", "20,20s", "--", "node", "all.js"]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains(" experiments and ") && stderr.contains(" checks in "), "{stderr}");
    let (code, _, stderr) = run(folder, &["why", "--experiment", "--", "node", "none.js"]);
    assert_eq!(code, Some(1), "{stderr}");
}

#[test]
fn nothing_is_left_behind_after_ctrl_c() {
    let project = project(&[(
        "slow.js",
        "const until = Date.now() + 300;\nwhile (Date.now() < until);\nlet n = 0;\nfor (let i = 0; i < 30; i++) if (i % 2) n++;\nif (n > 1) throw new Error('slow');\n",
    )]);
    let folder = project.path();
    let scratch = tempfile::tempdir().unwrap();
    run(folder, &["record", "--", "node", "slow.js"]);
    let child = wherefore(folder)
        .args(["why", "--experiment"])
        .env("TMPDIR", scratch.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| fs::read_dir(scratch.path()).unwrap().next().is_some());
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let since = Instant::now();
    child.wait_with_output().unwrap();
    assert!(since.elapsed() < Duration::from_secs(20));
    let left: Vec<_> = fs::read_dir(scratch.path()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}
