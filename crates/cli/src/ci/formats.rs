//! The tests of a run for what CI servers read: JUnit XML, CTRF, and annotations of GitHub.

use std::path::{Path, PathBuf};

use debugger::{Chain, NumberedFailure, TestShown};
use serde_json::{Value, json};

/// JUnit XML: a suite for each file, with all of its tests.
pub fn junit(tests: &[TestShown]) -> String {
    let count = |tests: &[&TestShown], outcome: &str| tests.iter().filter(|test| test.outcome == outcome).count();
    let totals = |tests: &[&TestShown]| {
        let skipped = count(tests, "skipped") + count(tests, "todo");
        let time: f64 = tests.iter().map(|test| seconds(test)).sum();
        format!(
            r#"tests="{}" failures="{}" errors="0" skipped="{skipped}" time="{time:.3}""#,
            tests.len(),
            count(tests, "failed")
        )
    };
    let all: Vec<&TestShown> = tests.iter().collect();
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n", totals(&all));
    for (file, tests) in by_file(tests) {
        out.push_str(&format!("  <testsuite name=\"{}\" {}>\n", xml(file), totals(&tests)));
        for test in tests {
            let (suites, name) = parts(test);
            let class = if suites.is_empty() { file.to_owned() } else { suites };
            let line = test.line.map_or_else(String::new, |line| format!(" line=\"{line}\""));
            out.push_str(&format!(
                "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"{line} time=\"{:.3}\"",
                xml(&class),
                xml(&name),
                xml(file),
                seconds(test)
            ));
            match (test.outcome, test.error.as_deref().unwrap_or_default()) {
                ("failed", error) => {
                    let first = error.lines().next().unwrap_or_default();
                    out.push_str(&format!(
                        ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                        xml(first),
                        xml(error)
                    ));
                }
                ("skipped" | "todo", _) => out.push_str(">\n      <skipped/>\n    </testcase>\n"),
                _ => out.push_str("/>\n"),
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// CTRF JSON, as <https://ctrf.io> has it.
pub fn ctrf(tests: &[TestShown], command: &[String], start: u64, stop: u64) -> Value {
    let count = |outcome: &str| tests.iter().filter(|test| test.outcome == outcome).count();
    let test = |test: &TestShown| {
        let (suites, name) = parts(test);
        let status = if test.outcome == "todo" { "pending" } else { test.outcome };
        let mut told = json!({ "name": name, "status": status, "duration": (seconds(test) * 1000.0).round() as u64 });
        let error = test.error.as_deref().unwrap_or_default();
        let optional = [
            ("suite", Some(suites).filter(|suites| !suites.is_empty()).map(Value::from)),
            ("filePath", test.file.clone().map(Value::from)),
            ("line", test.line.map(Value::from)),
            ("message", error.lines().next().map(Value::from)),
            ("trace", Some(error).filter(|error| error.lines().count() > 1).map(Value::from)),
        ];
        for (key, value) in optional {
            if let Some(value) = value {
                told[key] = value;
            }
        }
        told
    };
    json!({
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "generatedBy": "wherefore",
        "results": {
            "tool": { "name": command.first().map_or("", String::as_str) },
            "summary": {
                "tests": tests.len(),
                "passed": count("passed"),
                "failed": count("failed"),
                "pending": count("todo"),
                "skipped": count("skipped"),
                "other": 0,
                "start": start,
                "stop": stop,
            },
            "tests": tests.iter().map(test).collect::<Vec<Value>>(),
        },
    })
}

/// A line for each failure, by which GitHub shows it beside the source.
pub fn annotation(
    failure: &NumberedFailure,
    chain: Option<&Chain>,
    prefix: &Path,
    without: &dyn Fn(&str) -> String,
) -> String {
    let point = &failure.failure.point;
    let mut properties = Vec::new();
    if let Some(file) = &point.file {
        let path: PathBuf = prefix.join(file);
        properties.push(format!("file={}", property(&path.display().to_string())));
        properties.extend(point.line.map(|line| format!("line={line}")));
        properties.extend(point.column.map(|column| format!("col={column}")));
    }
    let title = failure.failure.test.as_ref().map_or_else(|| "Why it failed".into(), TestShown::title);
    properties.push(format!("title={}", property(&without(&title))));
    let mut message = failure.failure.message.clone();
    for hop in chain.into_iter().flat_map(|chain| chain.hops.iter().take(MOST_HOPS)) {
        let place = match (&hop.point.file, hop.point.line) {
            (Some(file), Some(line)) => format!("{file}:{line}  "),
            _ => String::new(),
        };
        message.push_str(&format!("\n{place}{}", hop.text));
    }
    format!("::error {}::{}\n", properties.join(","), data(&without(&message)))
}

/// More are not read beside the source.
const MOST_HOPS: usize = 6;

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn seconds(test: &TestShown) -> f64 {
    test.duration.unwrap_or_default().as_secs_f64()
}

/// The suites around a test, and its own title.
fn parts(test: &TestShown) -> (String, String) {
    match test.titles.split_last() {
        Some((own, suites)) => (suites.join(" › "), own.clone()),
        None => (String::new(), test.title()),
    }
}

/// In the order in which the files came.
fn by_file(tests: &[TestShown]) -> Vec<(&str, Vec<&TestShown>)> {
    let mut files: Vec<(&str, Vec<&TestShown>)> = Vec::new();
    for test in tests {
        let file = test.file.as_deref().unwrap_or("tests");
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, tests)) => tests.push(test),
            None => files.push((file, vec![test])),
        }
    }
    files
}

/// As text or attribute of XML, which has no control characters at all.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::*;

    fn test(titles: &[&str], outcome: &'static str, error: Option<&str>) -> TestShown {
        TestShown {
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            outcome,
            file: Some("a&b.test.js".into()),
            line: Some(3),
            thread: None,
            events: None,
            duration: Some(Duration::from_millis(12)),
            error: error.map(str::to_owned),
            out_of_time: None,
        }
    }

    #[test]
    fn all_tests_are_told_in_junit() {
        let tests = [
            test(&["cart", "adds <up>"], "passed", None),
            test(&["fails"], "failed", Some("Error: \u{1b}[31m\"2\" & 3\n  at x")),
            test(&["later"], "todo", None),
        ];
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="3" failures="1" errors="0" skipped="1" time="0.036">
              <testsuite name="a&amp;b.test.js" tests="3" failures="1" errors="0" skipped="1" time="0.036">
                <testcase classname="cart" name="adds &lt;up&gt;" file="a&amp;b.test.js" line="3" time="0.012"/>
                <testcase classname="a&amp;b.test.js" name="fails" file="a&amp;b.test.js" line="3" time="0.012">
                  <failure message="Error: �[31m&quot;2&quot; &amp; 3">Error: �[31m&quot;2&quot; &amp; 3&#10;  at x</failure>
                </testcase>
                <testcase classname="a&amp;b.test.js" name="later" file="a&amp;b.test.js" line="3" time="0.012">
                  <skipped/>
                </testcase>
              </testsuite>
            </testsuites>
        "#]]
        .assert_eq(&junit(&tests));
        let told = ctrf(&tests, &["npm".into()], 1, 2);
        assert_eq!(told["results"]["summary"]["tests"], 3);
        assert_eq!(
            told["results"]["tests"][0],
            json!({"name": "adds <up>", "status": "passed", "duration": 12, "suite": "cart", "filePath": "a&b.test.js", "line": 3})
        );
        assert_eq!(told["results"]["tests"][2]["status"], "pending");
    }

    #[test]
    fn what_a_program_says_is_no_command_of_github() {
        assert_eq!(data("a\n::set-output name=x::y%"), "a%0A::set-output name=x::y%25");
        assert_eq!(property("a,b:c\nd"), "a%2Cb%3Ac%0Ad");
    }
}
