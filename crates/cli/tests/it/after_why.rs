//! What the explanation of a failed test means for the questions that come next. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;

use crate::support::{json, project, run};

const HALF: &str = "exports.half = (n) => {\n  const result = n / 2;\n  return result;\n};\nexports.later = (n) => {\n  const seen = n;\n  return seen;\n};\n";

/// Tests in one process. The second fails; the others call the same function, before it and behind it.
const TESTS: &str = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { half, later } = require('./half.js');\n\
    test('one', () => assert.equal(half(2), 1));\ntest('two', () => assert.equal(half(6), 4));\n\
    test('three', () => assert.equal(later(half(10)), 5));\ntest('four', () => assert.equal(half(20), 11));\n";

fn result_at(folder: &Path, point: &str) -> (String, String) {
    let (code, stdout, stderr) = run(folder, &["eval", "result", "--at", point]);
    assert_eq!(code, Some(0), "{stderr}");
    (stdout, stderr)
}

#[test]
fn a_line_means_the_last_time_before_the_explained_failure() {
    let project = project(&[("half.js", HALF), ("half.test.js", TESTS)]);
    let folder = project.path();
    assert_eq!(run(folder, &["record", "--", "node", "half.test.js"]).0, Some(1));
    // Nothing was explained yet.
    let (value, said) = result_at(folder, "half.js:3");
    assert!(value.starts_with("10") && !said.contains("why explained"), "{value}{said}");

    let (_, why, _) = run(folder, &["why"]);
    assert!(why.contains("in the test two"), "{why}");
    let note =
        "wherefore: this is the last time before `two` failed, which why explained; #N behind the line names another\n";
    let (value, said) = result_at(folder, "half.js:3");
    assert!(value.starts_with('3') && said.contains(note), "{value}{said}");
    let (value, said) = result_at(folder, "half.js:3#3");
    assert!(value.starts_with('5') && !said.contains("why explained"), "{value}{said}");
    // All questions mean the same time.
    let change = json(folder, &["last-change", "result", "--at", "half.js:3"]);
    assert_eq!(change["answer"]["new"]["text"], "3", "{change}");

    // A line that was reached only behind the failure.
    let (code, value, said) = run(folder, &["eval", "seen", "--at", "half.js:7"]);
    assert_eq!((code, value.starts_with('5')), (Some(0), true), "{said}");
    assert!(!said.contains("why explained"), "{said}");

    let (_, why, _) = run(folder, &["why", "--failure", "2"]);
    assert!(why.contains("in the test four"), "{why}");
    let (value, _) = result_at(folder, "half.js:3");
    assert!(value.starts_with("10"), "{value}");
}

#[test]
fn a_line_means_the_thread_of_the_explained_failure() {
    let test = |title: &str, given: u32, wanted: u32| {
        format!(
            "const test = require('node:test');\nconst assert = require('node:assert');\nconst {{ half }} = require('./half.js');\n\
             test('{title}', () => assert.equal(half({given}), {wanted}));\n"
        )
    };
    let project = project(&[
        ("half.js", HALF),
        ("a.test.js", &test("well", 2, 1)),
        ("b.test.js", &test("badly", 6, 4)),
        ("c.test.js", &test("well again", 20, 10)),
    ]);
    let folder = project.path();
    // One process for each file, one behind the other.
    let command = ["why", "--", "node", "--test", "--test-concurrency=1"];
    let (_, why, said) = run(folder, &command);
    assert!(why.contains("in the test badly"), "{why}{said}");
    assert!(result_at(folder, "half.js:3").0.starts_with('3'));
}

/// What passing tests called is nothing that a person should judge.
#[test]
fn judging_begins_in_the_failing_test() {
    let wrong = HALF.replace("n / 2", "n / 2 + (n > 6 && n < 20 ? 1 : 0)");
    let project = project(&[("half.js", &wrong), ("half.test.js", &TESTS.replace("half(6), 4", "half(6), 3"))]);
    let folder = project.path();
    let tests = fs::read_to_string(folder.join("half.test.js")).unwrap().replace("half(20), 11", "half(20), 10");
    fs::write(folder.join("half.test.js"), tests).unwrap();
    assert_eq!(run(folder, &["record", "--", "node", "half.test.js"]).0, Some(1));
    fs::write(folder.join("answers.txt"), "").unwrap();
    let judge = ["judge", "--format", "json", "--answers", "answers.txt"];
    // The first question is about the call of the only test that failed: half(10).
    let (_, _, said) = run(folder, &judge);
    assert!(said.contains("has no answer for exports.half half.js:1 (@"), "{said}");
    let event = said.rsplit_once('@').and_then(|(_, rest)| rest.trim().trim_end_matches(')').parse::<u32>().ok());
    let (_, given, said) = run(folder, &["eval", "n", "--at", &format!("@{}", event.unwrap() + 2)]);
    assert!(given.starts_with("10"), "{given}{said}");
    fs::write(folder.join("answers.txt"), "exports.half invalid\n").unwrap();
    let (code, judged, said) = run(folder, &judge);
    assert_eq!(code, Some(0), "{said}");
    assert!(!format!("{judged}{said}").contains("nobody said what is wrong"), "{judged}{said}");
}
