//! Many calls of a function as one question of `wherefore judge`. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::support::{run, wherefore};

/// `isOpen` is wrong at the hour at which a door opens: the third door.
const DOORS: &str = "function isOpen(door, hour) {\n  return door.from < hour && hour < door.to;\n}\n\
                     function label(n) {\n  return n + ' open';\n}\n\
                     function open(doors, hour) {\n  let n = 0;\n  for (const door of doors) if (isOpen(door, hour)) n++;\n  return label(n);\n}\n\
                     console.log(open([{ from: 1, to: 5 }, { from: 2, to: 9 }, { from: 3, to: 4 }, { from: 7, to: 8 }, { from: 0, to: 2 }], 3));\n";

fn recorded(name: &str, source: &str, command: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), source).unwrap();
    let (_, _, stderr) = run(folder.path(), &[&["record", "--"], command].concat());
    assert!(stderr.contains("events"), "{stderr}");
    folder
}

fn doors() -> tempfile::TempDir {
    recorded("doors.js", DOORS, &["node", "doors.js"])
}

/// The end of a session in which a file answers.
fn judged(folder: &Path, answers: &str, args: &[&str]) -> serde_json::Value {
    fs::write(folder.join("answers.txt"), answers).unwrap();
    let (_, stdout, stderr) = run(folder, &[&["judge", "--format", "json", "--answers", "answers.txt"], args].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}"))
}

/// What somebody sees who says these lines.
fn said(folder: &Path, lines: &str, args: &[&str]) -> String {
    let mut child = wherefore(folder)
        .arg("judge")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let Output { stdout, stderr, .. } = child.wait_with_output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr))
}

/// The verdicts that are kept, without their events.
fn kept(folder: &Path) -> Vec<String> {
    let (_, kept, _) = run(folder, &["judge", "--export"]);
    let word = |line: &str| line.split(' ').skip(2).take(2).collect::<Vec<_>>().join(" ");
    kept.lines().map(word).collect()
}

#[test]
fn a_table_that_is_all_right_is_one_question() {
    let project = doors();
    let answers = "isOpen valid\nlabel valid\nopen invalid\n";
    let judged = judged(project.path(), answers, &["--strategy", "top-down"]);
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"open".into(), &3.into()), "{judged}");
    assert_eq!(judged["judged"], 7, "{judged}");
    let table = judged["transcript"].as_array().unwrap().iter().find(|asked| asked["rows"].is_array()).unwrap();
    assert_eq!(table["function"], "isOpen");
    let rows = table["rows"].as_array().unwrap();
    assert!(rows.len() == 5 && rows.iter().all(|row| row["verdict"] == "valid"), "{judged}");
    // Each row is kept as a verdict on its call, so a later session asks nothing.
    assert_eq!(kept(project.path()).iter().filter(|line| *line == "valid isOpen").count(), 5);
    let again = self::judged(project.path(), "", &["--strategy", "top-down"]);
    assert_eq!((&again["found"]["function"], &again["asked"]), (&"open".into(), &0.into()), "{again}");
}

#[test]
fn the_third_row_is_wrong() {
    let project = doors();
    let seen = said(project.path(), "i\n3 return\n", &["--strategy", "top-down"]);
    assert!(seen.contains("given to all\n    hour  3\n"), "{seen}");
    assert!(seen.contains("       door              returned\n"), "{seen}");
    assert!(seen.contains("    3  {from: 3, to: 4}  false\n"), "{seen}");
    assert!(seen.contains("`isOpen` (doors.js:1) is wrong: its inputs were right and it returned false"), "{seen}");
    assert!(seen.contains("found with 2 questions"), "{seen}");
    // Nothing is known of the rows behind it.
    assert_eq!(kept(project.path()), ["invalid open", "valid isOpen", "valid isOpen", "invalid isOpen"]);
}

#[test]
fn a_command_answers_for_each_row_up_to_the_first_that_is_wrong() {
    let project = doors();
    let oracle = "node -e \"const q = JSON.parse(require('fs').readFileSync(0)).question; \
                  console.log(q.call.function === 'isOpen' && q.call.point.hit !== 3 ? 'valid' : 'invalid')\"";
    let (_, stdout, _) =
        run(project.path(), &["judge", "--strategy", "top-down", "--format", "json", "--oracle", oracle]);
    let judged: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"isOpen".into(), &2.into()), "{judged}");
    let rows = judged["transcript"][1]["rows"].as_array().unwrap();
    let verdicts: Vec<&str> = rows.iter().map(|row| row["verdict"].as_str().unwrap_or("none")).collect();
    assert_eq!(verdicts, ["valid", "valid", "invalid", "none", "none"]);
}

#[test]
fn nobody_knows_some_rows_or_all() {
    let project = doors();
    // The others are right, but one of those may be wrong.
    let seen = said(project.path(), "i\nd 2 3\na\nv\n", &["--strategy", "top-down"]);
    assert!(seen.contains("one of 3 calls is wrong, and nobody knows which"), "{seen}");
    let seen = said(project.path(), "i\nd\nv\n", &["--strategy", "top-down", "--fresh"]);
    assert!(seen.contains("one of 6 calls is wrong, and nobody knows which"), "{seen}");
}

#[test]
fn an_answer_is_taken_back_with_all_of_its_rows() {
    let project = doors();
    let seen = said(project.path(), "i\na\nu\n3\n", &["--strategy", "top-down"]);
    assert_eq!(seen.matches("valid isOpen doors.js:1").count(), 5, "{seen}");
    assert!(seen.contains("`isOpen` (doors.js:1) is wrong"), "{seen}");
    assert_eq!(kept(project.path()), ["invalid open", "valid isOpen", "valid isOpen", "invalid isOpen"]);
}

#[test]
fn a_dialogue_goes_on_where_it_ended() {
    let project = doors();
    let seen = said(project.path(), "i\nd 1\nq\n", &["--strategy", "top-down"]);
    assert!(seen.contains("the verdicts are kept with the run"), "{seen}");
    // The row that nobody knew is not in the table any more.
    let seen = said(project.path(), "2\n", &["--strategy", "top-down"]);
    assert!(seen.contains("    2  {from: 3, to: 4}  false\n"), "{seen}");
    assert!(seen.contains("`isOpen` (doors.js:1) is wrong"), "{seen}");
}

#[test]
fn a_row_that_was_taken_for_right_by_mistake() {
    let project = doors();
    let folder = project.path();
    judged(folder, "isOpen valid\nlabel valid\nopen invalid\n", &["--strategy", "top-down"]);
    let file = folder.join(".wherefore/runs/1/judge.txt");
    let text = fs::read_to_string(&file).unwrap();
    let third = text.lines().filter(|line| line.contains(" isOpen ")).nth(2).unwrap().replace("valid", "invalid");
    fs::write(&file, format!("{text}{third}\n")).unwrap();
    let judged = judged(folder, "", &["--strategy", "top-down"]);
    assert_eq!(judged["found"]["function"], "isOpen", "{judged}");
    assert_eq!(judged["conflicts"][0]["older"], "isOpen doors.js:1 is valid", "{judged}");
    assert_eq!(judged["conflicts"][0]["newer"], "isOpen doors.js:1 is invalid");
}

#[test]
fn whoever_wants_is_asked_about_each_call() {
    let project = doors();
    let judged =
        judged(project.path(), "isOpen valid\nlabel valid\nopen invalid\n", &["--strategy", "top-down", "--singly"]);
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"open".into(), &7.into()), "{judged}");
    let seen = said(project.path(), "i\no\nv\nv\ni\n", &["--strategy", "top-down", "--fresh"]);
    assert!(seen.contains("found with 4 questions"), "{seen}");
}

/// A file that says nothing of some rows leaves those open.
#[test]
fn a_file_need_not_know_every_row() {
    let project = doors();
    let judged = judged(project.path(), "open invalid\nisOpen#3 invalid\n", &["--strategy", "top-down"]);
    assert_eq!((&judged["found"]["function"], &judged["asked"]), (&"isOpen".into(), &2.into()), "{judged}");
    assert_eq!(kept(project.path()), ["invalid open", "invalid isOpen"]);
}

/// What each call leaves for the next is told once, and the rows tell what changed.
#[test]
fn calls_on_one_object_read_like_a_log() {
    let source = "class Till {\n  constructor() {\n    this.sum = 0;\n    this.notes = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2];\n  }\n  \
                  take(n) {\n    this.sum += n;\n    return this.sum;\n  }\n}\n\
                  function main() {\n  const till = new Till();\n  for (const n of [1, 2, 3, 4]) till.take(n);\n  console.log(till.sum);\n}\nmain();\n";
    let project = recorded("till.js", source, &["node", "till.js"]);
    let seen = said(project.path(), "i\nv\nq\n", &["--strategy", "top-down"]);
    assert!(seen.contains("before the first, and each left it for the next\n    this  Till {sum: 0, notes:"), "{seen}");
    assert!(seen.contains("    3  3  6         this.sum: 3 → 6\n"), "{seen}");
}

#[test]
fn runs_in_which_there_is_little_to_judge() {
    // Every test fails.
    let source = "const test = require('node:test');\nconst assert = require('node:assert');\n\
                  function half(n) {\n  return n;\n}\n\
                  test('one', () => assert.equal(half(2), 1));\ntest('two', () => assert.equal(half(4), 2));\n";
    let project = recorded("half.test.js", source, &["node", "half.test.js"]);
    let (code, stdout, stderr) = run(project.path(), &["judge", "--answers", "/dev/null"]);
    assert!(code == Some(0) && stdout.contains("`half` (half.test.js:3) is wrong"), "{stdout}{stderr}");
    // None does: nobody pointed at anything, and a person is asked all the same.
    let project = recorded("half.test.js", &source.replace("return n;", "return n / 2;"), &["node", "half.test.js"]);
    let seen = said(project.path(), "q\n", &[]);
    assert!(seen.contains("calls are suspicious; the verdicts are kept with the run"), "{seen}");
    assert!(seen.contains("nothing failed, and nobody said what is wrong"), "{seen}");
    // There is no call.
    let project = recorded("none.js", "1 + 1;\n", &["node", "none.js"]);
    let (code, stdout, stderr) = run(project.path(), &["judge", "--answers", "/dev/null"]);
    assert!(code == Some(0) && stderr.contains("no calls were recorded"), "{stdout}{stderr}");
}
