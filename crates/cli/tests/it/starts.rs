//! Which failure is chosen, where it starts, and what kind of difference it is about. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// The answer of `why` about a program of one file.
fn why(program: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("app.js"), program).unwrap();
    let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.env("WHEREFORE_RUNTIME", runtime).current_dir(folder.path());
    let output = command.args(["why", "--format", "json", "--", "node", "app.js"]).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let mut whole: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    whole["answer"].take()
}

fn difference(program: &str) -> Value {
    let assert = "const assert = require('node:assert');\n";
    let mut answer = why(&format!("{assert}{program}"));
    answer["failure"]["difference"].take()
}

#[test]
fn another_value() {
    assert_eq!(difference("const n = 1 + 1;\nassert.strictEqual(n, 3);\n"), "other-value");
    assert_eq!(difference("const o = { a: 1 };\nassert.deepStrictEqual(o, { a: 2 });\n"), "other-value");
}

#[test]
fn something_is_missing() {
    assert_eq!(difference("const o = {};\nassert.strictEqual(o.a, 3);\n"), "missing");
    assert_eq!(difference("const o = { a: 1 };\nassert.deepStrictEqual(o, { a: 1, b: 2 });\n"), "missing");
}

#[test]
fn something_is_there_that_should_not_be() {
    assert_eq!(difference("const o = { a: 1, b: 2 };\nassert.deepStrictEqual(o, { a: 1 });\n"), "extra");
}

#[test]
fn another_length() {
    assert_eq!(difference("const list = [1, 2];\nassert.deepStrictEqual(list, [1, 2, 3]);\n"), "length");
    assert_eq!(difference("const list = [1, 2];\nassert.strictEqual(list.length, 3);\n"), "length");
}

#[test]
fn an_exception_where_none_was_wanted() {
    assert_eq!(difference("const o = {};\no.a.b;\n"), "thrown");
    assert_eq!(difference("function f(n) {\n  if (n > 1) throw new RangeError('no');\n}\nf(2);\n"), "thrown");
    assert_eq!(difference("JSON.parse('{');\n"), "thrown");
}

#[test]
fn no_exception_where_one_was_wanted() {
    assert_eq!(difference("const f = (n) => n;\nassert.throws(() => f(1));\n"), "not-thrown");
}

#[test]
fn what_was_waited_for_did_not_come() {
    let program = "const never = new Promise(() => {});\nasync function main() {\n  await never;\n}\nmain();\n\
                   setTimeout(() => {\n  console.log('not ok 1 - main: timed out');\n  process.exit(1);\n}, 5);\n";
    let runner = format!("{program}\n");
    let answer = why(&runner);
    assert_eq!(answer["failure"]["difference"], "never-settled", "{answer}");
}

#[test]
fn an_error_of_the_system_starts_at_the_call_that_asked_for_it() {
    let answer = why("const fs = require('node:fs');\nconst name = ['data', 'txt'].join('-');\n\
        const input = fs.createReadStream(name);\ninput.on('data', () => {});\n");
    assert_eq!(answer["failure"]["point"]["line"], 3, "{answer}");
}

#[test]
fn who_deals_with_an_error_and_ends_well_did_not_fail() {
    let answer = why("const fs = require('node:fs');\ntry {\n  fs.readFileSync('nope.json');\n} catch (error) {\n\
        \x20 console.log('no config: ' + error.message);\n}\n");
    assert!(answer["failure"].is_null(), "{answer}");
}

#[test]
fn a_line_that_says_that_a_test_passed_reports_no_error() {
    let answer =
        why("try {\n  throw new Error('not ok');\n} catch {\n  console.log('✔ refuses with Error: not ok');\n}\n");
    assert!(answer["failure"].is_null(), "{answer}");
}
