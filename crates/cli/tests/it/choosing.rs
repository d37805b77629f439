//! Which code is recorded: the program and its libraries, or what was asked for. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{run, wherefore};

/// A test runner of our own, and a library; both in `node_modules`.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("package.json", r#"{ "name": "shop", "dependencies": { "round": "1" } }"#),
        ("node_modules/tally/package.json", r#"{ "name": "tally", "bin": "cli.js" }"#),
        ("node_modules/tally/cli.js", "require('./lib/run.js')(process.argv[2]);\n"),
        (
            "node_modules/tally/lib/run.js",
            "module.exports = (file) => {\n  globalThis.check = (title, body) => {\n    body();\n    console.log('ok', title);\n  };\n  require(require('path').resolve(file));\n};\n",
        ),
        ("node_modules/round/package.json", r#"{ "name": "round", "main": "index.js" }"#),
        ("node_modules/round/index.js", "exports.down = (n) => Math.floor(n);\n"),
        ("price.js", "const { down } = require('round');\nexports.price = (n) => down(n * 0.9);\n"),
        (
            "price.test.js",
            "const { price } = require('./price.js');\ncheck('price', () => {\n  const paid = price(10);\n  if (paid !== 10) throw new Error(`it costs ${paid}`);\n});\n",
        ),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const COMMAND: [&str; 4] = ["--", "node", "node_modules/tally/cli.js", "price.test.js"];
const TEST: &str = "price.test.js";
const PRICE: &str = "price.js";
const ROUND: &str = "node_modules/round/index.js";
const CLI: &str = "node_modules/tally/cli.js";
const RUN: &str = "node_modules/tally/lib/run.js";

/// The files of the latest run that were recorded.
fn recorded(folder: &Path) -> Vec<String> {
    let (_, stdout, _) = run(folder, &["sources"]);
    let mut files: Vec<String> = stdout.lines().filter_map(|line| Some(line.split_once("  ")?.0.to_owned())).collect();
    files.sort();
    files
}

fn sorted(files: &[&str]) -> Vec<String> {
    let mut files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
    files.sort();
    files
}

/// What is given, and what is recorded then.
fn cases() -> Vec<(Vec<&'static str>, Vec<&'static str>)> {
    vec![
        (vec![], vec![TEST, PRICE, ROUND]),
        (vec!["--include-tools"], vec![TEST, PRICE, ROUND, CLI, RUN]),
        (vec!["--include-package", "tally"], vec![TEST, PRICE, ROUND, CLI, RUN]),
        (vec!["--exclude", "**/round/**"], vec![TEST, PRICE]),
        (vec!["--include", "**/*.test.js"], vec![TEST]),
        // What matches is recorded, whatever it is.
        (vec!["--include", "**/lib/run.js"], vec![RUN]),
        (vec!["--include-tools", "--exclude", "**/lib/**"], vec![TEST, PRICE, ROUND, CLI]),
        (vec!["--include-package", "tally", "--exclude", "**/cli.js"], vec![TEST, PRICE, ROUND, RUN]),
        (vec!["--include", "**/price*.js", "--exclude", "**/price.js"], vec![TEST]),
    ]
}

#[test]
fn record_takes_what_is_asked_for() {
    let project = project();
    for (options, files) in cases() {
        let (code, _, stderr) = run(project.path(), &[&["record"], &options[..], &COMMAND].concat());
        assert_eq!(code, Some(1), "{options:?} {stderr}");
        assert_eq!(recorded(project.path()), sorted(&files), "{options:?}");
        // What was left out is said once, where it was left out.
        let n_told = stderr.matches("--include-tools records them").count();
        let expected = usize::from(
            !files.contains(&RUN) && !options.contains(&"--include") && !options.contains(&"--include-tools"),
        );
        assert_eq!(n_told, expected, "{options:?} {stderr}");
    }
}

#[test]
fn every_question_with_a_command_takes_them() {
    let project = project();
    let questions: [&[&str]; 4] =
        [&["why"], &["failures"], &["last-change", "paid", "--at", "price.test.js:4"], &["ci"]];
    for question in questions {
        for (options, files) in [cases().swap_remove(1), cases().swap_remove(3), cases().swap_remove(7)] {
            // A question about a place would record that alone.
            if question[0] == "last-change" && options[0] != "--exclude" {
                continue;
            }
            let (_, stdout, stderr) = run(project.path(), &[question, &options[..], &COMMAND].concat());
            let found = recorded(project.path());
            match question[0] {
                "last-change" => {
                    assert!(stdout.contains("paid became 9") || stdout.contains("paid: "), "{stdout}{stderr}")
                }
                _ => assert_eq!(found, sorted(&files), "{question:?} {options:?} {stderr}"),
            }
        }
    }
    // Run again, as it was recorded.
    run(project.path(), &["record", "--include-tools", "--exclude", "**/lib/**", "--", "node", CLI, TEST]);
    run(project.path(), &["why", "--rerun"]);
    assert_eq!(recorded(project.path()), sorted(&[TEST, PRICE, ROUND, CLI]));
    // Without a command there is nothing to choose.
    let (code, _, stderr) = run(project.path(), &["why", "--include-tools"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("say what is recorded: give the command behind --"), "{stderr}");
}

#[test]
fn agents_may_choose_as_well() {
    let project = project();
    let given = [
        (json!({ "include_tools": true, "exclude": ["**/lib/**"] }), vec![TEST, PRICE, ROUND, CLI]),
        (json!({ "include_packages": ["tally"] }), vec![TEST, PRICE, ROUND, CLI, RUN]),
        (json!({ "include": ["**/price*.js"], "exclude": ["**/price.js"] }), vec![TEST]),
    ];
    for (mut arguments, files) in given {
        arguments["command"] = json!(&COMMAND[1..]);
        let answer = call_tool(project.path(), "record", &arguments);
        assert!(answer["result"]["isError"] != true, "{answer}");
        assert_eq!(recorded(project.path()), sorted(&files), "{arguments}");
    }
}

fn call_tool(folder: &Path, tool: &str, arguments: &Value) -> Value {
    let mut server = wherefore(folder);
    let mut server = server.args(["mcp", "--allow-run"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = server.stdin.take().unwrap();
    let mut from = BufReader::new(server.stdout.take().unwrap()).lines();
    let client = json!({ "name": "test", "version": "1" });
    let first = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    writeln!(to, "{}", json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first })).unwrap();
    from.next().unwrap().unwrap();
    writeln!(to, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
    let call = json!({ "name": tool, "arguments": arguments });
    writeln!(to, "{}", json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call })).unwrap();
    let answers = from.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let answer = answers.into_iter().find(|answer| answer["id"] == 2).unwrap();
    drop(to);
    server.wait().unwrap();
    answer
}
