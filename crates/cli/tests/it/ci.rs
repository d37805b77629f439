//! `wherefore ci`: a command as it is, and a report if it failed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{project, run, with_args};

/// What it ended with, and what it printed to stdout and stderr.
fn ci(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    run(folder, &[&["ci"], args].concat())
}

fn with_app(program: &str) -> tempfile::TempDir {
    project(&[("app.js", program)])
}

const FAILS: &str = "const rate = 0.5;\nconst price = 4 * rate;\nconsole.log('so far');\nif (price !== 4) throw new Error(`it costs ${price}`);\n";

#[test]
fn what_passes_is_not_recorded() {
    let project = with_app("console.log('fine')");
    let told = ci(project.path(), &["--", "node", "app.js"]);
    assert_eq!(told, (Some(0), "fine\n".into(), String::new()));
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 1);
}

#[test]
fn what_fails_is_explained_and_ends_as_it_did() {
    let project = with_app(FAILS);
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
    let document: serde_json::Value = serde_json::from_str(&read("why/why-1.json")).unwrap();
    assert_eq!(document["question"]["kind"], "why");
    // Which of the two pipes is read first is not known.
    let printed = read("why/output-1.txt");
    assert!(printed.contains("so far\n") && printed.contains("Error: it costs 2\n"), "{printed}");
    assert!(
        project.path().join("why/failed.wherefore").exists() && !project.path().join("why/passed.wherefore").exists()
    );
}

#[test]
fn what_fails_now_and_then_is_compared_with_a_run_that_passed() {
    // It fails in every second run, the first included.
    let project = with_app(
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
fn tests_of_node_are_explained_and_exported() {
    // The test runner is a process without code of its own.
    let project = with_app("");
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst price = (n) => n * 2;\n\
                test('twice', () => assert.equal(price(2), 5));\ntest('once', () => assert.equal(price(1), 2));\n";
    fs::write(project.path().join("price.test.js"), test).unwrap();
    let (code, _, stderr) = ci(project.path(), &["--", "node", "--test", "price.test.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(!stderr.contains("not written"), "{stderr}");
    let report = project.path().join("wherefore-report");
    let markdown = fs::read_to_string(report.join("why.md")).unwrap();
    assert!(markdown.contains("**AssertionError: 4 == 5**") && !markdown.contains("preload.cjs"), "{markdown}");

    let other = tempfile::tempdir().unwrap();
    let imported = run(other.path(), &["import", &report.join("failed.wherefore").display().to_string()]);
    assert_eq!(imported.0, Some(0), "{imported:?}");
    assert!(run(other.path(), &["why"]).1.starts_with("AssertionError: 4 == 5\n"));
}

#[test]
fn a_run_of_several_processes_is_compared_with_all_of_a_passing_one() {
    let project = with_app("");
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst fs = require('fs');\n\
                const n = Number(fs.readFileSync('n'));\nfs.writeFileSync('n', String(n + 1));\n\
                function order(items) {\n  if (n % 3 === 0) items.reverse();\n  return items;\n}\n\
                test('order', () => {\n  assert.deepEqual(order([1, 2]), [1, 2]);\n});\n";
    fs::write(project.path().join("n"), "3").unwrap();
    fs::write(project.path().join("order.test.js"), test).unwrap();
    let (code, _, stderr) = ci(project.path(), &["--runs", "4", "--", "node", "--test", "order.test.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    let markdown = fs::read_to_string(project.path().join("wherefore-report/why.md")).unwrap();
    let first = markdown.lines().find(|line| line.contains("The first difference")).unwrap_or(&markdown);
    assert!(first.contains("`order.test.js:7`") && first.contains("never came here"), "{first}");
    // A message of many lines is not bold as a whole, which Markdown does not know.
    let message = "**AssertionError: Expected values to be loosely deep-equal:**\n\n```\n[\n  2,\n  1\n]\n";
    assert!(markdown.contains(message), "{markdown}");
    assert!(markdown.contains("holds in another order"), "{markdown}");
    // Which of several failures is asked about makes no difference to what it is compared with.
    for asked in [&["why", "--against", "1"][..], &["why", "--failure", "1", "--against", "1"]] {
        let (_, told, _) = run(project.path(), asked);
        assert_eq!(told.matches("the passing run never").count(), 1, "{told}");
    }
}

/// A program must not see that it is recorded, however the folder of the runtime is written.
#[test]
fn the_folder_of_the_runtime_may_be_written_in_any_way() {
    let project = with_app("console.log(process.env.NODE_OPTIONS, process.execArgv.length);");
    let runtime = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime");
    std::os::unix::fs::symlink(runtime, project.path().join("linked")).unwrap();
    for runtime in ["linked", "./linked/../runtime"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
        command.env("WHEREFORE_RUNTIME", runtime).env_remove("NODE_OPTIONS").current_dir(project.path());
        let output = command.args(["record", "--", "node", "app.js"]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "undefined 0\n", "{runtime}");
    }
}

#[test]
fn a_folder_with_files_of_others_is_no_report() {
    let project = with_app(FAILS);
    let docs = project.path().join("docs");
    fs::create_dir(&docs).unwrap();
    fs::write(docs.join("why.md"), "# Why we do this\n").unwrap();
    let (code, stdout, stderr) = ci(project.path(), &["--report", "docs", "--", "node", "app.js"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert!(stderr.contains("docs/why.md is there already, and is no report"), "{stderr}");
    assert_eq!(fs::read_to_string(docs.join("why.md")).unwrap(), "# Why we do this\n");
}

#[test]
fn a_summary_that_is_not_there_is_made_and_an_empty_name_is_none() {
    let project = with_app(FAILS);
    let (code, _, stderr) = ci(project.path(), &["--summary", "summary.md", "--", "node", "app.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(fs::read_to_string(project.path().join("summary.md")).unwrap().starts_with("## Why `node app.js` failed"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_wherefore"));
    command.env("GITHUB_STEP_SUMMARY", "").current_dir(project.path());
    let output = command.args(["ci", "--", "node", "-e", "process.exit(0)"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_command_that_is_not_there_and_a_summary_that_cannot_be_written() {
    let project = with_app(FAILS);
    let (code, _, stderr) = ci(project.path(), &["--", "no-such-program"]);
    assert_eq!(code, Some(3));
    assert!(stderr.starts_with("wherefore: no-such-program cannot be started"), "{stderr}");
    let (code, _, stderr) = ci(project.path(), &["--summary", "nowhere/x.md", "--", "node", "app.js"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("the summary cannot be written to nowhere/x.md"), "{stderr}");
}

/// Started, and sent a signal once its program runs.
fn signalled(folder: &Path, signal: &str) -> (std::process::ExitStatus, String) {
    let mut command = with_args(folder, &["ci", "--", "node", "app.js"]);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    while !folder.join("ready").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn signals_are_for_the_command() {
    use std::os::unix::process::ExitStatusExt;
    let handles = "const fs = require('fs');\nfor (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => { console.log(name); process.exit(9); });\n\
                   setInterval(() => {}, 1000);\nfs.writeFileSync('ready', '');\n";
    for (signal, name) in [("-TERM", "SIGTERM\n"), ("-INT", "SIGINT\n")] {
        let project = with_app(handles);
        let (status, printed) = signalled(project.path(), signal);
        assert_eq!((status.code(), printed.as_str()), (Some(9), name));
        // Nobody wants it to run again.
        assert!(!project.path().join(".wherefore").exists());
    }
    let project = with_app("require('fs').writeFileSync('ready', '');\nsetInterval(() => {}, 1000);\n");
    assert_eq!(signalled(project.path(), "-TERM").0.signal(), Some(15));
}

#[test]
fn a_recorded_run_that_does_not_end_is_stopped() {
    // It fails as it is, and waits forever when it runs again.
    let project = with_app(
        "const fs = require('fs');\nif (fs.existsSync('again')) setInterval(() => {}, 1000);\nfs.writeFileSync('again', '');\n\
         const rate = 2;\nif (!fs.existsSync('never')) Promise.reject(new Error(`rate ${rate}`)).catch((e) => { process.exitCode = 1; });\n",
    );
    let (code, _, stderr) = ci(project.path(), &["--timeout", "2s", "--", "node", "app.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    let markdown = fs::read_to_string(project.path().join("wherefore-report/why.md")).unwrap();
    assert!(markdown.contains("ran for longer than 2 s and was stopped"), "{markdown}");
}

#[test]
fn no_secret_is_in_the_report() {
    let project = with_app("");
    let token = "ghp_0123456789abcdefghij_ABCDEFGHIJ01";
    let test = format!(
        "const test = require('node:test');\nconst password = 'hunt*er_2_planted';\nconst token = '{token}';\n\
         function login(user, password) {{\n  console.log('login', user, password, token);\n  throw new Error(`${{user}} is not ${{password}} with ${{token}}`);\n}}\n\
         test('logs in, 50%: <b>', () => login('jane', password));\ntest('passes', () => {{}});\ntest.skip('later', () => {{}});\n"
    );
    fs::write(project.path().join("login.test.js"), test).unwrap();
    let args =
        ["ci", "--summary", "s.md", "--junit", "j.xml", "--ctrf", "c.json", "--", "node", "--test", "login.test.js"];
    let mut command = with_args(project.path(), &args);
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_WORKSPACE", project.path().parent().unwrap());
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let report = project.path().join("wherefore-report");
    let files = ["why.md", "why.sarif", "why-1.json", "output-1.txt"].map(|name| report.join(name));
    for file in files.into_iter().chain(["s.md", "j.xml", "c.json"].map(|name| project.path().join(name))) {
        let text = fs::read_to_string(&file).unwrap();
        for secret in [token, "hunt*er_2", r"hunt\*er", r"ghp\_", "ABCDEFGHIJ01"] {
            assert!(!text.contains(secret), "{}: {secret}: {text}", file.display());
        }
        assert!(text.contains("‹redacted›"), "{}: {text}", file.display());
        if file.extension().is_some_and(|extension| extension == "json" || extension == "sarif") {
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
    let annotations: Vec<&str> = stderr.lines().filter(|line| line.starts_with("::error ")).collect();
    let folder = project.path().file_name().unwrap().to_str().unwrap();
    let start = format!("::error file={folder}/login.test.js,line=6,");
    assert!(annotations.len() == 1 && annotations[0].starts_with(&start), "{stderr}");
    assert!(annotations[0].contains("title=logs in%2C 50%25%3A <b>::") && annotations[0].contains("%0A"), "{stderr}");
    assert!(!annotations[0].contains(token), "{stderr}");

    let junit = fs::read_to_string(project.path().join("j.xml")).unwrap();
    assert!(junit.contains(r#"tests="3" failures="1" errors="0" skipped="1""#), "{junit}");
    assert!(junit.contains(r#"name="logs in, 50%: &lt;b&gt;""#) && junit.contains(r#"name="passes""#), "{junit}");
    let ctrf: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(project.path().join("c.json")).unwrap()).unwrap();
    let summary = &ctrf["results"]["summary"];
    assert_eq!(
        (&summary["tests"], &summary["passed"], &summary["failed"], &summary["skipped"]),
        (&3.into(), &1.into(), &1.into(), &1.into())
    );
}

/// An answer shows 24 letters of a text inside of an object, and a message 80: the rest is left out, and the beginning is secret, too.
#[test]
fn no_part_of_a_secret_is_in_the_report() {
    let secret = "correct-horse-battery-staple-4711-Tr0ub4dor-and-3-more-words-so-that-it-is-long-enough-for-all";
    let program = format!(
        "const login = {{ user: 'me', password: '{secret}' }};\nconst sent = {{ deep: [login.password] }};\n\
         const copy = [sent.deep[0], 1];\nif (copy.length === 2) throw new Error('refused: ' + login.password);\n"
    );
    let project = with_app(&program);
    let (code, _, stderr) = ci(project.path(), &["--", "node", "app.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    for name in ["why.md", "why.sarif", "why-1.json", "output-1.txt"] {
        let text = fs::read_to_string(project.path().join("wherefore-report").join(name)).unwrap();
        for part in ["correct-horse", "4711-Tr0ub4dor", "enough-for-all"] {
            assert!(!text.contains(part), "{name}: {text}");
        }
    }
    let markdown = fs::read_to_string(project.path().join("wherefore-report/why.md")).unwrap();
    assert!(markdown.contains("‹redacted›…"), "{markdown}");
}

#[test]
fn more_failures_than_are_explained_are_counted_and_listed() {
    let test = "const test = require('node:test');\nconst assert = require('node:assert');\nconst twice = (n) => n * 3;\n\
        for (let n = 1; n <= 23; n++) test(`twice ${n}`, () => assert.equal(twice(n), n * 2));\n";
    let project = with_app("");
    fs::write(project.path().join("many.test.js"), test).unwrap();
    let (code, _, stderr) = ci(project.path(), &["--", "node", "many.test.js"]);
    assert_eq!(code, Some(1), "{stderr}");
    let report = project.path().join("wherefore-report");
    let markdown = fs::read_to_string(report.join("why.md")).unwrap();
    let told = "23 failures; 20 of them are explained here, the others are listed at the end.";
    assert!(markdown.contains(told), "{markdown}");
    assert!(markdown.contains("### 20. twice 20\n") && !markdown.contains("### 21."), "{markdown}");
    let list = markdown.split_once("### Not explained here").unwrap().1;
    for number in 21..=23 {
        assert!(list.contains(&format!("- {number}. twice {number}: ")), "{list}");
    }
    // The titles are there for other programs, too: of those that are explained, and of the others.
    let sarif: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(report.join("why.sarif")).unwrap()).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 23, "{sarif}");
    for (number, result) in (1..).zip(results) {
        let text = result["message"]["text"].as_str().unwrap();
        assert!(text.starts_with(&format!("twice {number}: ")), "{text}");
        assert_eq!(result["codeFlows"].is_array(), number <= 20);
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].is_number(), "{result}");
    }
}
