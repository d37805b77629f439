//! What the person is told beside an answer: that a run is not whole, that the sources are others by now. And which thread is
//! asked. Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{json, project, run, wherefore};

#[test]
fn values_are_of_the_run_where_sources_have_changed_since() {
    let project = project(&[("app.js", "let x = 1;\nconsole.log(x);\n")]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "app.js"]);
    fs::write(folder.join("app.js"), "// new\n").unwrap();
    let (_, value, stderr) = run(folder, &["eval", "x", "--at", "app.js:2"]);
    assert_eq!(value, "1\n");
    assert!(stderr.contains("app.js has changed since this run"), "{stderr}");
}

#[test]
fn colour_where_it_is_asked_for_and_nobody_refused() {
    let project = project(&[("app.js", "let x = 1;\nconsole.log(x);\n")]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "app.js"]);
    let has_colour = |variables: &[(&str, &str)]| {
        let mut command = wherefore(folder);
        command.env_remove("NO_COLOR").envs(variables.iter().copied());
        let output = command.args(["last-change", "x", "--at", "app.js:2"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().contains("\x1b[")
    };
    assert!(!has_colour(&[]), "a pipe gets none");
    assert!(has_colour(&[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colour(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn sources_that_have_changed_since() {
    let project = project(&[("app.js", "let x = 1;\nx = 2;\nconsole.log(x);\n")]);
    let folder = project.path();
    let (code, _, stderr) = run(folder, &["last-change", "x", "--at", "app.js:3", "--", "node", "app.js"]);
    let took = "2\nwherefore: answered in one run; it recorded 9 events, at 6 of 6 places\n";
    assert_eq!((code, stderr.as_str()), (Some(0), took));
    fs::write(folder.join("app.js"), "// new\nlet x = 1;\nx = 2;\nconsole.log(x);\n").unwrap();
    let (_, stdout, stderr) = run(folder, &["last-change", "x", "--at", "app.js:3"]);
    assert!(stdout.contains("2 │ x = 2;"), "{stdout}");
    assert_eq!(stderr, "wherefore: app.js has changed since this run; the lines shown are those of the run\n");
    fs::remove_file(folder.join("app.js")).unwrap();
    let answer = json(folder, &["last-change", "x", "--at", "app.js:3"]);
    assert_eq!(answer["notes"][0], "app.js is no longer there; the lines shown are those of the run");
}

#[test]
fn a_run_that_is_still_recorded_and_one_whose_recorder_was_killed() {
    let project = project(&[("app.js", "let x = 1;\nx = 2;\nsetInterval(() => {}, 1000);\nconsole.log('up');\n")]);
    let folder = project.path();
    let mut recorder =
        wherefore(folder).args(["record", "--", "node", "app.js"]).stdout(Stdio::piped()).spawn().unwrap();
    recorder.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
    let answer = json(folder, &["last-change", "x"]);
    assert_eq!((&answer["answer"]["kind"], &answer["answer"]["point"]["line"]), (&"written".into(), &2.into()));
    assert_eq!(answer["notes"][0], "this run is still being recorded: the answer is of what there is so far");

    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let answer = json(folder, &["last-change", "x"]);
    assert_eq!(answer["answer"]["point"]["line"], 2);
    let note = "the recorder of this run was ended before the program: its last moments may be missing";
    assert_eq!(answer["notes"][0], note);
    end_left_behind(&folder.join(".wherefore/runs/1"));
}

#[test]
fn the_thread_that_has_the_point_is_asked() {
    let project = project(&[
        (
            "main.js",
            "const { Worker } = require('worker_threads');\nnew Worker('./worker.js').on('error', () => {});\n",
        ),
        ("worker.js", "const parts = { a: 1 };\nfunction use(p) {\n  return p.b.c;\n}\nuse(parts);\n"),
    ]);
    let answer = json(project.path(), &["why", "--", "node", "main.js"]);
    assert_eq!(answer["answer"]["failure"]["point"]["file"], "worker.js", "{answer}");
    assert_eq!(answer["answer"]["failure"]["point"]["thread"], 2);
    let answer = json(project.path(), &["eval", "p.a", "--at", "worker.js:3"]);
    assert_eq!(answer["answer"]["value"]["text"], "1", "{answer}");
    let main = json(project.path(), &["state", "--thread", "1"]);
    assert_eq!(main["answer"]["frames"][0]["point"]["file"], "main.js", "{main}");
}

#[test]
fn a_picture_and_a_flow_of_an_explanation() {
    let project = project(&[("app.js", "const o = { '<&>': 1 };\nfunction f(p) {\n  return p.q.r;\n}\nf(o);\n")]);
    let (code, svg, _) = run(project.path(), &["why", "--format", "svg", "--", "node", "app.js"]);
    assert_eq!(code, Some(0));
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n") && svg.contains("app.js:3"), "{svg}");
    let (_, sarif, _) = run(project.path(), &["why", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    let flow = &sarif["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    let last = flow.as_array().unwrap().last().unwrap();
    assert_eq!(last["location"]["physicalLocation"]["region"]["startLine"], 3, "{sarif}");
}

#[test]
fn a_deep_explanation_stays_inside_its_picture() {
    let mut source = String::new();
    for n in 0..45 {
        source.push_str(&format!("function f{n}(a) {{\n  const b = f{}(a + 1);\n  return b + 1;\n}}\n", n + 1));
    }
    source.push_str(
        "function f45(x) { return undefined; }\nconst r = f0(1);\nif (r !== 5) throw new Error(`bad ${r}`);\n",
    );
    let project = project(&[("deep.js", &source)]);
    let (code, svg, _) = run(project.path(), &["why", "--all", "--format", "svg", "--", "node", "deep.js"]);
    assert_eq!(code, Some(0));
    let boxes: Vec<&str> = svg.lines().filter(|line| line.starts_with("<rect class=\"box")).collect();
    assert!(boxes.len() > 45, "{}", boxes.len());
    let number = |line: &str, name: &str| -> usize {
        let value = line.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        value.unwrap().parse().unwrap_or(usize::MAX)
    };
    let right = |line: &&str| number(line, "x").saturating_add(number(line, "width"));
    let widest = boxes.iter().map(right).max().unwrap();
    assert!(widest <= number(&svg, "width"), "{widest}");
}

const TWO_THREADS: [(&str, &str); 2] = [
    (
        "main.js",
        "const { Worker } = require('node:worker_threads');\nfunction twice(x) { return x * 2; }\ntwice(1);\n\
         new Worker(__dirname + '/worker.js');\n",
    ),
    ("worker.js", "function twice(x) { return x + x; }\ntwice(21);\n"),
];

#[test]
fn calls_and_events_of_all_threads() {
    let project = project(&TWO_THREADS);
    let folder = project.path();
    assert_eq!(run(folder, &["record", "--", "node", "main.js"]).0, Some(0));
    let threads = |answer: &serde_json::Value, list: &str| -> Vec<u64> {
        let shown = answer["answer"][list].as_array().unwrap().iter();
        shown.map(|shown| shown["point"]["thread"].as_u64().unwrap()).collect()
    };
    let found = json(folder, &["find", "call", "--function", "twice"]);
    assert_eq!(threads(&found, "results"), [1, 2], "{found}");
    let last = json(folder, &["find", "call", "--function", "twice", "--index", "-1"]);
    assert_eq!(threads(&last, "results"), [2], "{last}");
    let second = json(folder, &["find", "call", "--function", "twice", "--index", "1"]);
    assert_eq!(threads(&second, "results"), [2], "{second}");
    let none = json(folder, &["find", "call", "--function", "twice", "--index", "2"]);
    assert_eq!(threads(&none, "results"), [0; 0], "{none}");
    let calls = json(folder, &["calls", "--function", "twice"]);
    assert_eq!(threads(&calls, "calls"), [1, 2], "{calls}");
    let (_, text, _) = run(folder, &["calls", "--function", "twice"]);
    assert!(text.contains("thread 1\n") && text.contains("thread 2\n"), "{text}");
    let (_, text, _) = run(folder, &["find", "call", "--function", "twice", "--thread", "2"]);
    assert_eq!(text, "P2  worker.js:1  twice was called\n");
}

#[test]
fn calls_whose_callers_were_not_kept() {
    // Numbers that cannot be compressed.
    let source = "function inner(x) { return x; }\nfunction outer() {\n  \
                  for (let i = 0; i < 400000; i++) inner(Math.random());\n}\nouter();\n";
    let project = project(&[("app.js", source)]);
    let folder = project.path();
    run(folder, &["record", "--keep-last", "1MB", "--", "node", "app.js"]);
    let calls = json(folder, &["calls", "--limit", "2"]);
    let calls = calls["answer"]["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls.iter().all(|call| call["point"]["function"] == "inner"), "{calls:?}");
}

#[test]
fn runs_and_events_as_markdown() {
    let project = project(&[("app.js", "let x = 1;\n")]);
    let folder = project.path();
    run(folder, &["record", "--", "node", "app.js"]);
    let (_, runs, _) = run(folder, &["runs", "--format", "markdown"]);
    assert!(runs.starts_with("| run | started | outcome | events | size | command |\n|---:|"), "{runs}");
    let (_, events, _) = run(folder, &["events", "--limit", "1", "--format", "markdown"]);
    assert_eq!(events, "```text\n@0      app.js:1  Enter <anonymous> (frame 1)\n```\n");
}

#[test]
fn a_file_that_was_left_out() {
    let project = project(&[("app.js", "require('./lib.js');\n"), ("lib.js", "let x = 1;\n")]);
    let folder = project.path();
    run(folder, &["record", "--exclude", "lib.js", "--", "node", "app.js"]);
    let (code, _, stderr) = run(folder, &["state", "--at", "lib.js:1"]);
    let says = "wherefore: no code of lib.js was recorded: files were left out of this run (--include, --exclude)\n";
    assert_eq!((code, stderr.as_str()), (Some(2), says));
}

#[test]
fn plain_on_a_pipe() {
    let project = project(&[("app.js", "let x = 1;\n")]);
    let (_, stdout, _) = run(project.path(), &["last-change", "x", "--", "node", "app.js"]);
    assert!(!stdout.contains('\x1b'), "{stdout:?}");
}

#[test]
fn a_run_that_cannot_be_written_to_is_answered_without_numbers() {
    let project = project(&[("app.js", "let x = 1;\n")]);
    let folder = project.path();
    assert_eq!(run(folder, &["record", "--", "node", "app.js"]).0, Some(0));
    fs::create_dir(folder.join(".wherefore/runs/1/points.txt")).unwrap();
    let answer = json(folder, &["last-change", "x"]);
    assert_eq!((&answer["answer"]["kind"], &answer["answer"]["point"]["point"]), (&"written".into(), &().into()));
}

/// The program goes on when its recorder is killed.
fn end_left_behind(run: &Path) {
    let entries = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let pid =
        entries.filter_map(|path| path.file_name()?.to_str()?.split_once("-0.ring")?.0.parse::<u32>().ok()).next();
    let pid = pid.unwrap_or_else(|| panic!("no ring in {}", run.display()));
    assert!(Command::new("kill").arg(pid.to_string()).status().unwrap().success());
}

#[test]
fn an_expression_may_begin_with_a_minus() {
    let project = project(&[("app.js", "const n = 4;\n")]);
    let (code, stdout, stderr) = run(project.path(), &["eval", "-n + 1", "--at", "end", "--", "node", "app.js"]);
    assert_eq!((code, stdout.as_str()), (Some(0), "-3\n"), "{stderr}");
}

#[test]
fn what_was_written_before_the_part_that_is_kept() {
    let program = "function main() {\n  const counter = { total: 0 };\n  let label = 'a';\n  \
        for (let i = 0; i < 1500000; i++) counter.total += i;\n  console.log(counter.total, label);\n}\nmain();\n";
    let project = project(&[("app.js", program)]);
    let folder = project.path();
    let (_, _, stderr) = run(folder, &["record", "--keep-last", "1MB", "--", "node", "app.js"]);
    assert!(stderr.contains("the last"), "{stderr}");
    let answer = json(folder, &["eval", "label", "--at", "app.js:5"]);
    assert_ne!(answer["answer"]["value"]["text"], "undefined", "{answer}");
    let (_, stdout, stderr) = run(folder, &["last-change", "label", "--at", "app.js:5"]);
    let told = format!("{stdout}{stderr}");
    assert!(!told.contains("never written") && !told.contains("undefined"), "{told}");
}

#[test]
fn what_files_may_have_changed_that_were_left_out() {
    let app = "const o = { a: 1 };\nrequire('./lib').change(o);\nconsole.log(o.a);\n";
    let project = project(&[("app.js", app), ("lib.js", "exports.change = (o) => { o.a = 2; };\n")]);
    let folder = project.path();
    run(folder, &["record", "--exclude", "**/lib.js", "--", "node", "app.js"]);
    let answer = json(folder, &["last-change", "o.a", "--at", "app.js:3"]);
    let note = "files were left out of this run (--include, --exclude): what their code changed is not known";
    assert_eq!(answer["notes"][0], note);
}

/// A server that says on which port it listens, and a driver that orders two things there.
const SERVER: &str = r#"const carts = {};
function add(user, item) {
  const cart = carts[user] || (carts[user] = { total: 0 });
  cart.total += item.price;
  return cart;
}
require("http").createServer((request, response) => {
  const item = { price: new URL(request.url, "http://x").searchParams.get("price") };
  const cart = add("ann", item);
  response.end(String(cart.total));
}).listen(0, function () { require("fs").writeFileSync("port", String(this.address().port)); });
"#;
const DRIVER: &str = r#"const port = require("fs").readFileSync("port", "utf8");
const order = (price) => fetch(`http://localhost:${port}/?price=${price}`).then((answer) => answer.text());
order(2).then(() => order(3));
"#;

#[test]
fn a_server_is_driven_again_for_each_question() {
    let project = project(&[("server.js", SERVER), ("driver.js", DRIVER)]);
    let tell = |args: &[&str]| {
        let (_, stdout, stderr) = run(project.path(), args);
        format!("{stdout}{stderr}")
    };
    let command = ["--drive", "node driver.js", "--", "node", "server.js"];
    let told = tell(&[&["last-change", "cart.total", "--at", "server.js:10"], &command[..]].concat());
    assert!(told.contains("server.js:4 in add, hit 2 of 2  P1") && told.contains(r#""02" → "023""#), "{told}");
    // Nobody says again what drives it.
    let told = tell(&["last-change", "item.price", "--at", "P1", "--rerun", "--timeout", "60s"]);
    assert!(told.contains("server.js:8") && told.contains(r#"item.price: "3""#), "{told}");
}

#[test]
fn omissions_say_what_could_not_be_seen() {
    let app = "const { made, fill } = require('./lib.js');\nconst own = [];\nfunction go(flag) {\n  if (flag) { fill(own); made.push(1); }\n}\ngo(false);\nconsole.log(own.length);\n";
    let project =
        project(&[("app.js", app), ("lib.js", "exports.made = [];\nexports.fill = (list) => list.push(1);\n")]);
    let folder = project.path();
    run(folder, &["record", "--exclude", "lib.js", "--", "node", "app.js"]);
    let (_, _, stderr) = run(folder, &["omissions", "made", "--at", "app.js:7"]);
    assert!(stderr.contains("the object was not made by code that is recorded"), "{stderr}");
    assert!(stderr.contains("files were left out of this run"), "{stderr}");
    fs::write(folder.join("app.js"), "// new\n").unwrap();
    let (_, stdout, stderr) = run(folder, &["omissions", "own", "--at", "app.js:7"]);
    assert!(stdout.contains("4 │ if (flag)"), "{stdout}");
    assert!(stderr.contains("app.js has changed since this run; the lines shown are those of the run"), "{stderr}");
}

#[test]
fn omissions_say_which_files_were_not_recorded_and_what_was_not_looked_at() {
    let app = "const seen = [];\nfunction hit(i) { if (i > 100) seen.push(i); }\nfor (let i = 0; i < 50; i++) hit(i);\nconsole.log(seen.length);\n";
    let project = project(&[("app.js", app)]);
    let folder = project.path();
    run(folder, &["record", "-o", "run", "--", "node", "app.js"]);
    let ask = || run(folder, &["omissions", "seen", "--at", "out:1", "--run", "run"]);
    let (_, stdout, stderr) = ask();
    assert!(stdout.contains("i > 100 was false"), "{stdout}");
    assert!(stderr.contains("only the 24 newest executions were looked at"), "{stderr}");
    let one = format!("{} is not captured: unexpected token\n", folder.join("old.js").display());
    fs::write(folder.join("run/problems.txt"), &one).unwrap();
    let (_, _, stderr) = ask();
    assert!(
        stderr.contains("old.js was not recorded (unexpected token): what its code could do is not known"),
        "{stderr}"
    );
    fs::write(folder.join("run/problems.txt"), one.clone() + &one.replace("old", "older")).unwrap();
    let (_, _, stderr) = ask();
    assert!(stderr.contains("old.js and 1 more were not recorded: what their code could do is not known"), "{stderr}");
}

#[test]
fn another_time_of_a_line_says_so_in_every_form() {
    let program = "let level = 10;\nfor (const step of [3, 2]) {\n  const next = level + step;\n  level = next;\n}\n\
        if (level < 20) throw new Error('low');\n";
    let project = project(&[("app.js", program)]);
    let folder = project.path();
    let why = json(folder, &["why", "--", "node", "app.js"]);
    let chain = why["chain"].as_array().unwrap();
    let earlier = chain.iter().position(|hop| hop["other_time"] == "earlier-iteration").expect("an earlier time");
    assert_eq!(chain[earlier]["text"], "in an earlier iteration: next became 13");
    let told = chain[earlier]["parent"].as_u64().unwrap() as usize;
    assert_eq!((&chain[told]["text"], &chain[told]["other_time"]), (&"next became 15".into(), &Value::Null));
    let first = chain.iter().find(|hop| hop["text"] == "level became 10").unwrap();
    assert_eq!(first["parent"], earlier, "what was added to first is no reason of what was added last");
    for format in ["text", "markdown", "sarif", "svg"] {
        let (_, said, _) = run(folder, &["why", "--format", format]);
        assert!(said.contains("in an earlier iteration: next became 13"), "{format}: {said}");
    }
}
