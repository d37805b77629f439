//! `wherefore dap`: sessions of a scripted client, written down. `UPDATE_EXPECT=1` writes them anew, a person reads the difference.
//! Needs the addon (`cargo xtask build`).

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::client::{Client, project, wherefore};
use expect_test::expect_file;
use serde_json::{Value, json};

const SHOP: &[(&str, &str)] = &[
    ("shop.js", include_str!("../../../../examples/shop/shop.js")),
    ("cart.js", include_str!("../../../../examples/shop/cart.js")),
    ("offers.js", include_str!("../../../../examples/shop/offers.js")),
];

fn path(folder: &tempfile::TempDir, file: &str) -> String {
    folder.path().canonicalize().unwrap().join(file).display().to_string()
}

#[test]
fn back_from_a_failure_to_the_write_that_caused_it() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.go("configurationDone", json!({}));
    client.ask("threads", json!({}));
    client.ask("exceptionInfo", json!({"threadId": 1}));
    client.go("stepBack", json!({"threadId": 1}));
    client.go("stepIn", json!({"threadId": 1}));
    client.go("stepOut", json!({"threadId": 1}));
    client.go("stepBack", json!({"threadId": 1}));
    // The price of the pens, wherever it was written.
    let frame = client.quiet("stackTrace", json!({"threadId": 1}))["stackFrames"][0]["id"].clone();
    let scopes = client.ask("scopes", json!({"frameId": frame}));
    let of_file = client.ask("variables", json!({"variablesReference": scopes["scopes"][0]["variablesReference"]}));
    let cart = inside(&of_file, "cart");
    let lines = client.ask("variables", json!({"variablesReference": cart}));
    let lines = client.ask("variables", json!({"variablesReference": inside(&lines, "lines")}));
    let pen = client.ask("variables", json!({"variablesReference": inside(&lines, "1")}));
    assert_eq!(pen["variables"][1]["name"], "price");
    let info = client.ask("dataBreakpointInfo", json!({"variablesReference": inside(&lines, "1"), "name": "price"}));
    client.ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": info["dataId"]}]}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "line.price", "context": "hover"}));
    client.ask("evaluate", json!({"expression": "percent", "context": "watch"}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("continue", json!({"threadId": 1}));
    client.ask("disconnect", json!({}));
    expect_file!["dap/back.txt"].assert_eq(&client.transcript);
}

fn inside(variables: &Value, name: &str) -> Value {
    let all = variables["variables"].as_array().unwrap();
    all.iter().find(|variable| variable["name"] == name).unwrap()["variablesReference"].clone()
}

#[test]
fn breakpoints_hit_forward_and_back() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    let source = json!({"path": path(&folder, "cart.js")});
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 8, "condition": "count > 2"}]}));
    let offers = json!({"path": path(&folder, "offers.js")});
    client.ask("setBreakpoints", json!({"source": offers, "breakpoints": [{"line": 7}]}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["all"]}));
    client.go("configurationDone", json!({}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("continue", json!({"threadId": 1}));
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 14, "hitCondition": "2"}]}));
    client.go("continue", json!({"threadId": 1}));
    client.go("continue", json!({"threadId": 1}));
    client.go("continue", json!({"threadId": 1}));
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": []}));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "add"}, {"name": "ad"}]}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("disconnect", json!({}));
    expect_file!["dap/breakpoints.txt"].assert_eq(&client.transcript);
}

#[test]
fn what_a_breakpoint_cannot_be_is_said() {
    let folder = project(&[SHOP, &[("other.js", "x();\n")]].concat());
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.ask("setBreakpoints", json!({"source": {"path": path(&folder, "other.js")}, "breakpoints": [{"line": 1}]}));
    client.ask(
        "setBreakpoints",
        json!({"source": {"path": path(&folder, "cart.js")}, "breakpoints": [
            {"line": 6}, {"line": 8, "hitCondition": "many"}, {"line": 8, "condition": "nothing.such"},
        ]}),
    );
    client.ask("setBreakpoints", json!({"source": {}, "breakpoints": [{"line": 1}]}));
    client.ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": "what"}]}));
    client.go("configurationDone", json!({}));
    client.ask("dataBreakpointInfo", json!({"name": "1 + 2"}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("continue", json!({"threadId": 7}));
    client.ask("scopes", json!({"frameId": 999}));
    client.ask("variables", json!({"variablesReference": 999}));
    client.ask("goto", json!({"threadId": 1, "targetId": 999}));
    client.ask("stackTrace", json!({"threads": 1}));
    client.ask("explode", json!({}));
    client.ask("launch", json!({"command": 5}));
    client.ask("attach", json!({"run": -1}));
    expect_file!["dap/refusals.txt"].assert_eq(&client.transcript);
}

#[test]
fn log_points_print_every_past_hit() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    let source = json!({"path": path(&folder, "offers.js")});
    let log = json!({"line": 7, "logMessage": "{line.sku} gets {percent} off{nothing}"});
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [log]}));
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [log, {"line": 3}]}));
    client.go("configurationDone", json!({}));
    client.go("reverseContinue", json!({"threadId": 1}));
    expect_file!["dap/log-points.txt"].assert_eq(&client.transcript);
}

#[test]
fn questions_are_typed_into_the_console() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.go("configurationDone", json!({}));
    for typed in [
        "total",
        "cart",
        "totl",
        "help",
        "why",
        "last-change total",
        "history cart.lines",
        "omissions cart",
        "last-condition",
        "why-not offers.js:99",
        "last-change",
        "goto P5",
    ] {
        client.ask("evaluate", json!({"expression": typed, "context": "repl"}));
    }
    client.event("stopped");
    client.top();
    client.ask("evaluate", json!({"expression": "why percent", "context": "repl"}));
    client.ask("completions", json!({"text": "wh", "column": 3}));
    client.ask("completions", json!({"text": "why per", "column": 8}));
    client.ask("gotoTargets", json!({"source": {"path": path(&folder, "offers.js")}, "line": 6}));
    client.go("goto", json!({"threadId": 1, "targetId": 1}));
    for typed in ["judge", "judge valid", "judge maybe", "judge undo", "judge invalid"] {
        client.ask("evaluate", json!({"expression": typed, "context": "repl"}));
    }
    expect_file!["dap/console.txt"].assert_eq(&client.transcript);
}

#[test]
fn what_led_to_a_callback_is_behind_its_stack() {
    let app = "\
const wait = () => new Promise((resolve) => setTimeout(resolve, 5));
async function load(id) {
  await wait();
  return undefined;
}
async function main() {
  const user = await load(7);
  return user.name;
}
main();
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.go("configurationDone", json!({}));
    let stack = client.ask("stackTrace", json!({"threadId": 1, "startFrame": 0, "levels": 20}));
    let outer = stack["stackFrames"].as_array().unwrap().last().unwrap()["id"].clone();
    client.ask("scopes", json!({"frameId": outer}));
    client.ask("evaluate", json!({"expression": "user", "context": "hover"}));
    client.ask("stackTrace", json!({"threadId": 1, "startFrame": 1, "levels": 1}));
    expect_file!["dap/async.txt"].assert_eq(&client.transcript);
}

#[test]
fn sources_are_shown_as_they_were() {
    let folder = project(&[("app.js", "const a = 1;\nconst b = a + 1;\nthrow new Error(b);\n")]);
    wherefore(folder.path()).args(["record", "--", "node", "app.js"]).output().unwrap();
    fs::write(folder.path().join("app.js"), "// Other.\n").unwrap();
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({"adapterID": "wherefore", "linesStartAt1": false, "columnsStartAt1": false}));
    client.ask("attach", json!({"run": 1}));
    client.event("initialized");
    client.go("configurationDone", json!({}));
    let sources = client.ask("loadedSources", json!({}));
    let source = &sources["sources"][0];
    client.ask("source", json!({"source": source, "sourceReference": source["sourceReference"]}));
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 1}]}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("attach", json!({"run": 7}));
    expect_file!["dap/sources.txt"].assert_eq(&client.transcript);
}

#[test]
fn a_large_object_is_opened_part_by_part() {
    let app = "const all = {};\nfor (let i = 0; i < 2500; i++) all['k' + i] = i;\nthrow new Error('end');\n";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.go("configurationDone", json!({}));
    let all = client.ask("evaluate", json!({"expression": "all", "context": "watch"}));
    let first = client.quiet("variables", json!({"variablesReference": all["variablesReference"]}));
    let first = first["variables"].as_array().unwrap();
    assert_eq!((first.len(), &first[999]["name"]), (1001, &json!("k999")));
    assert_eq!(first[1000]["name"], "[1000 …]");
    let parts = client.ask("variables", json!({"variablesReference": first[1000]["variablesReference"]}));
    let last = parts["variables"][1]["variablesReference"].clone();
    let last = client.quiet("variables", json!({"variablesReference": last}));
    assert_eq!(last["variables"].as_array().unwrap().len(), 500);
    assert_eq!(last["variables"][499]["name"], "k2499");
    client.ask("variables", json!({"variablesReference": all["variablesReference"], "start": 1000, "count": 2}));
    expect_file!["dap/large.txt"].assert_eq(&client.transcript);
}

#[test]
fn restart_runs_the_program_again() {
    let folder = project(&[("app.js", "const a = process.env.A;\nconst b = [a];\nif (b) throw new Error(a);\n")]);
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({"adapterID": "wherefore"}));
    client.ask("launch", json!({"program": "app.js", "env": {"A": "first"}, "stopOnEntry": true}));
    client.event("initialized");
    client.ask("setBreakpoints", json!({"source": {"path": path(&folder, "app.js")}, "breakpoints": [{"line": 2}]}));
    client.go("configurationDone", json!({}));
    client.go("continue", json!({"threadId": 1}));
    fs::write(folder.path().join("app.js"), "\nconst a = process.env.A;\nconst b = [a];\n").unwrap();
    client.go("restart", json!({}));
    client.go("continue", json!({"threadId": 1}));
    client.go("continue", json!({"threadId": 1}));
    client.ask("terminate", json!({}));
    client.ask("disconnect", json!({}));
    expect_file!["dap/restart.txt"].assert_eq(&client.transcript);
}

#[test]
fn a_recording_is_cancelled_and_a_client_may_hang_up() {
    let folder = project(&[("app.js", "setInterval(() => {}, 10);\n")]);
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({"adapterID": "wherefore", "supportsProgressReporting": true}));
    let launch = client.send("launch", json!({"command": ["node", "app.js"]}));
    client.event("progressStart");
    client.ask("cancel", json!({"requestId": launch}));
    client.answer(launch);
    client.send("launch", json!({"command": "node app.js"}));
    // Whether the program has begun makes no difference to how this ends.
    assert_eq!(client.hang_up(), Some(0));
}

/// Runs until there is a file `stop`, and says by a file when it has begun.
const ENDLESS: &str = "\
const fs = require('node:fs');
let n = 0;
setInterval(() => {
  n++;
  if (n === 3) fs.writeFileSync('begun', '');
  if (fs.existsSync('stop')) {
    fs.writeFileSync('over', '');
    throw new Error('stopped');
  }
}, 5);
";

/// A client whose program runs, and the number of its launch.
fn running(folder: &tempfile::TempDir) -> (Client, i64) {
    let mut client = Client::start(folder.path());
    client.ask("initialize", json!({"adapterID": "wherefore"}));
    let launch = client.send("launch", json!({"command": "node app.js"}));
    client.event("thread");
    wait_for_file(&folder.path().join("begun"));
    (client, launch)
}

fn wait_for_file(file: &Path) {
    while !file.exists() {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_program_that_runs_is_paused_and_goes_on() {
    let folder = project(&[("app.js", ENDLESS)]);
    let (mut client, launch) = running(&folder);
    assert_eq!(client.ask("threads", json!({}))["threads"][0]["id"], 1);
    client.ask("pause", json!({"threadId": 1}));
    client.answer(launch);
    client.event("initialized");
    let source = json!({"path": path(&folder, "app.js")});
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 7}]}));
    client.ask("configurationDone", json!({}));
    let stopped = client.event("stopped");
    assert_eq!(
        (&stopped["reason"], &stopped["description"]),
        (&json!("pause"), &json!("End of what is recorded so far"))
    );
    let n = client.ask("evaluate", json!({"expression": "n > 2"}));
    assert_eq!(n["result"], "true");
    // What is recorded so far has no breakpoint: control goes on with the program, and can be paused again.
    client.ask("continue", json!({"threadId": 1}));
    client.ask("threads", json!({}));
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "pause");
    client.ask("continue", json!({"threadId": 1}));
    fs::write(folder.path().join("stop"), "").unwrap();
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    assert_eq!(client.top()["line"], 7);
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["text"], "Error: stopped");
    client.ask("disconnect", json!({}));
}

#[test]
fn what_is_terminated_keeps_its_recording() {
    let folder = project(&[("app.js", ENDLESS)]);
    let (mut client, launch) = running(&folder);
    client.ask("terminate", json!({}));
    client.event("terminated");
    assert!(client.answer(launch).get("error").is_some(), "there was nothing to look at yet");
    client.ask("attach", json!({"run": 1}));
    client.event("initialized");
    client.go("configurationDone", json!({}));
    assert_eq!(client.ask("evaluate", json!({"expression": "n > 2"}))["result"], "true");
    client.ask("disconnect", json!({}));
}

#[test]
fn who_disconnects_says_whether_the_program_goes_on() {
    for (goes_on, arguments) in [(true, json!({"terminateDebuggee": false})), (false, json!({}))] {
        let folder = project(&[("app.js", ENDLESS)]);
        let (mut client, _) = running(&folder);
        client.ask("disconnect", arguments);
        if goes_on {
            fs::write(folder.path().join("stop"), "").unwrap();
        }
        assert_eq!(client.hang_up(), Some(0));
        assert_eq!(folder.path().join("over").exists(), goes_on);
        let runs = wherefore(folder.path()).args(["runs", "--format", "json"]).output().unwrap();
        let runs: Value = serde_json::from_slice(&runs.stdout).unwrap();
        assert_eq!(runs.as_array().unwrap().len(), 1, "{runs}");
    }
}

#[test]
fn a_port_is_for_who_knows_the_token_and_outlives_its_clients() {
    let folder = project(&[]);
    let mut server = wherefore(folder.path());
    server
        .args(["dap", "--port", "0"])
        .env("WHEREFORE_DAP_TOKEN", "secret")
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut server = server.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    // One hangs up at once, one in the middle of a message, one has a browser's manners.
    drop(TcpStream::connect(&address).unwrap());
    TcpStream::connect(&address).unwrap().write_all(b"Content-Length: 100\r\n\r\n{\"seq\"").unwrap();
    TcpStream::connect(&address).unwrap().write_all(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}").unwrap();
    let answered = |command: &str, arguments: Value| {
        let mut client = TcpStream::connect(&address).unwrap();
        let text = json!({"seq": 1, "type": "request", "command": command, "arguments": arguments}).to_string();
        let end = json!({"seq": 2, "type": "request", "command": "disconnect"}).to_string();
        write!(client, "Content-Length: {}\r\n\r\n{text}Content-Length: {}\r\n\r\n{end}", text.len(), end.len())
            .unwrap();
        let mut all = String::new();
        client.read_to_string(&mut all).unwrap();
        all
    };
    for command in ["launch", "attach"] {
        for arguments in [json!({"command": "node -e 0"}), json!({"command": "node -e 0", "token": "secre"})] {
            let refused = answered(command, arguments);
            assert!(
                refused.contains(&format!("{command} needs the `token` that this server was started with")),
                "{refused}"
            );
        }
    }
    let no_runs = answered("attach", json!({"token": "secret", "run": 7}));
    assert!(no_runs.contains("\"success\":false") && !no_runs.contains("token"), "{no_runs}");
    assert!(!folder.path().join(".wherefore").exists());
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_port_has_a_token_unless_somebody_wants_none() {
    let folder = project(&[("app.js", "1\n")]);
    let attached = |args: &[&str]| {
        let mut server = wherefore(folder.path());
        let mut server = server
            .args(["dap", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut printed = BufReader::new(server.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            printed.read_line(&mut line).unwrap();
            line.trim().to_owned()
        };
        let address = line().strip_prefix("listening on ").unwrap().to_owned();
        let token = args.is_empty().then(|| line().strip_prefix("token ").unwrap().to_owned());
        let mut client = TcpStream::connect(address).unwrap();
        let mut send = |command: &str, arguments: Value| {
            let text = json!({"seq": 1, "type": "request", "command": command, "arguments": arguments}).to_string();
            write!(client, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        };
        send("attach", json!({"run": 1}));
        send("attach", json!({"run": 1, "token": token}));
        send("disconnect", json!({}));
        let mut all = String::new();
        client.read_to_string(&mut all).unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        (token, all.split("Content-Length").filter(|message| message.contains("needs the `token`")).count())
    };
    let ((one, refused), (other, _)) = (attached(&[]), attached(&[]));
    assert_eq!(refused, 1);
    assert!(one.as_ref().is_some_and(|token| token.len() == 48) && one != other);
    assert_eq!(attached(&["--no-token"]), (None, 0));
}

#[test]
fn a_run_that_is_removed_while_it_is_open_is_said_to_be_gone() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.go("configurationDone", json!({}));
    fs::remove_dir_all(folder.path().join(".wherefore/runs/1")).unwrap();
    client.ask("stepBack", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "total"}));
    client.ask("setBreakpoints", json!({"source": {"path": path(&folder, "cart.js")}, "breakpoints": [{"line": 8}]}));
    client.ask("restart", json!({}));
    client.event("stopped");
    client.top();
    expect_file!["dap/removed.txt"].assert_eq(&client.transcript);
}

#[test]
fn what_is_of_another_moment_is_not_answered_for_this_one() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.go("configurationDone", json!({}));
    let frame = client.quiet("stackTrace", json!({"threadId": 1}))["stackFrames"][0]["id"].clone();
    client.go("stepBack", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "last-change total", "context": "repl", "frameId": frame}));
    client.ask("wherefore.ask", json!({"kind": "last-change", "place": "total", "frameId": frame}));
    client.ask("wherefore.go", json!({"at": "P77"}));
    client.ask("exceptionInfo", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "judge invalid", "context": "repl"}));
    expect_file!["dap/other-moment.txt"].assert_eq(&client.transcript);
}

#[test]
fn control_goes_on_in_all_threads_in_the_order_of_time() {
    let app = "\
const { Worker } = require('node:worker_threads');
const { fork } = require('node:child_process');
const worker = new Worker('./worker.js');
let n = 0;
function play(message) {
  n = message;
  if (n < 3) worker.postMessage(n);
  else fork('./child.js');
}
worker.on('message', play);
worker.postMessage(n);
";
    let worker = "\
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (n) => {
  const next = n + 1;
  parentPort.postMessage(next);
  if (next === 3) parentPort.close();
});
";
    let folder =
        project(&[("app.js", app), ("worker.js", worker), ("child.js", "const last = 1;\nconsole.log(last);\n")]);
    let mut client = Client::launched(folder.path(), "node app.js");
    for (file, line) in [("app.js", 6), ("worker.js", 3), ("child.js", 2)] {
        client.ask("setBreakpoints", json!({"source": {"path": path(&folder, file)}, "breakpoints": [{"line": line}]}));
    }
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    let mut stops = |command: &str| {
        let mut stops = Vec::new();
        loop {
            client.ask(command, json!({"threadId": 1}));
            let stopped = client.event("stopped");
            if stopped["reason"] != "breakpoint" {
                return stops;
            }
            // Who is asked to go on next may be any thread: each stands where it was then.
            let top = |client: &mut Client, thread: &Value| {
                let stack = client.quiet("stackTrace", json!({"threadId": thread, "levels": 1}));
                stack["stackFrames"][0].clone()
            };
            let at = top(&mut client, &stopped["threadId"]);
            let n = client.quiet("evaluate", json!({"expression": "n", "frameId": at["id"]}));
            stops.push(format!(
                "{}:{} {}",
                at["source"]["name"].as_str().unwrap(),
                at["line"],
                n["result"].as_str().unwrap_or("")
            ));
        }
    };
    let back = stops("reverseContinue");
    let forward = stops("continue");
    let expected =
        ["worker.js:3 0", "app.js:6 0", "worker.js:3 1", "app.js:6 1", "worker.js:3 2", "app.js:6 2", "child.js:2 "];
    assert_eq!(forward, expected);
    assert!(back.iter().rev().eq(&expected), "{back:?}");
}

#[test]
fn what_a_handler_caught_is_said_with_its_type() {
    let app = "\
class Refused extends Error {}
function f(n) {
  if (n === 1) throw new Refused('not 1');
  if (n === 2) throw 'text';
  return undefined.x;
}
for (let n = 1; n < 4; n++) {
  try {
    f(n);
  } catch (error) {
    console.log(error);
  }
}
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.ask("setExceptionBreakpoints", json!({"filters": ["all"]}));
    client.ask("configurationDone", json!({}));
    client.event("stopped");
    let mut thrown = Vec::new();
    for _ in 0..3 {
        client.ask("reverseContinue", json!({"threadId": 1}));
        let stopped = client.event("stopped");
        let info = client.ask("exceptionInfo", json!({"threadId": 1}));
        assert_eq!(stopped["text"], info["description"]);
        thrown.push(format!("{} | {}", info["exceptionId"].as_str().unwrap(), info["description"].as_str().unwrap()));
    }
    assert_eq!(
        thrown,
        [
            "TypeError | TypeError: Cannot read properties of undefined (reading 'x')",
            "string | \"text\"",
            "Refused | Refused: not 1"
        ]
    );
}

#[test]
fn elements_are_asked_for_by_their_places() {
    let app = "\
const list = Array.from({ length: 250 }, (_, i) => i * 2);
list.note = 'named';
const holes = [];
holes[5] = 'five';
holes[100] = 'hundred';
const bytes = new Uint8Array([7, 8, 9]);
const map = new Map([['a', 1], ['b', 2], ['c', 3]]);
const set = new Set(['x', 'y']);
const empty = [];
const deep = { list: [{ price: 1, get cost() { throw new Error('a getter is never run'); } }] };
throw new Error('end');
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.go("configurationDone", json!({}));
    let mut inside = |expression: &str, filter: &str, start: u64, count: u64| {
        let found = client.quiet("evaluate", json!({"expression": expression}));
        let reference = found["variablesReference"].clone();
        let asked = json!({"variablesReference": reference, "filter": filter, "start": start, "count": count});
        let shown = client.quiet("variables", asked);
        let shown = shown["variables"].as_array().unwrap().iter();
        let shown: Vec<String> =
            shown.map(|it| format!("{}={}", it["name"].as_str().unwrap(), it["value"].as_str().unwrap())).collect();
        (found["indexedVariables"].as_u64(), shown.join(" "))
    };
    assert_eq!(inside("list", "indexed", 100, 3), (Some(250), "100=200 101=202 102=204".into()));
    assert_eq!(inside("list", "indexed", 248, 100), (Some(250), "248=496 249=498".into()));
    assert_eq!(inside("list", "named", 0, 0), (Some(250), "note=\"named\"".into()));
    assert_eq!(inside("holes", "indexed", 0, 50), (Some(101), "5=\"five\"".into()));
    assert_eq!(inside("holes", "indexed", 50, 51), (Some(101), "100=\"hundred\"".into()));
    assert_eq!(inside("holes", "named", 0, 0), (Some(101), String::new()));
    assert_eq!(inside("bytes", "indexed", 1, 2), (Some(3), "1=8 2=9".into()));
    assert_eq!(inside("map", "indexed", 1, 2), (Some(3), "\"b\"=2 \"c\"=3".into()));
    assert_eq!(inside("set", "indexed", 0, 0).0, Some(2));
    assert_eq!(inside("empty", "indexed", 0, 0), (None, String::new()));
    let mut completed = |text: &str| {
        let found = client.quiet("completions", json!({"text": text, "column": text.len() + 1}));
        let found = found["targets"].as_array().unwrap().iter();
        found.map(|target| target["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(completed("deep."), "list");
    assert_eq!(completed("why deep.list[0]."), "price cost");
    assert_eq!(completed("1 + deep.list[0].pr"), "price");
    assert_eq!(completed("list.no"), "note");
    assert_eq!(completed("nothing."), "");
}

#[test]
fn a_value_leads_to_where_it_came_from() {
    let folder = project(SHOP);
    let mut client = Client::launched(folder.path(), "node shop.js");
    client.go("configurationDone", json!({}));
    let lines = client.quiet("evaluate", json!({"expression": "cart.lines[1]"}));
    let pen = client.quiet("variables", json!({"variablesReference": lines["variablesReference"]}));
    let price = pen["variables"].as_array().unwrap().iter().find(|it| it["name"] == "price").unwrap();
    let found = client.ask("locations", json!({"locationReference": price["valueLocationReference"]}));
    assert_eq!((&found["source"]["name"], &found["line"]), (&json!("offers.js"), &json!(7)));
    let total = client.quiet("evaluate", json!({"expression": "total"}));
    let found = client.ask("locations", json!({"locationReference": total["valueLocationReference"]}));
    assert_eq!((&found["source"]["name"], &found["line"]), (&json!("shop.js"), &json!(16)));
    let refused = client.ask("locations", json!({"locationReference": 9999}));
    assert!(refused["error"]["format"].as_str().unwrap().contains("a moment that control has left"), "{refused}");
}

#[test]
fn a_line_is_counted_in_all_threads() {
    let app = "\
const { Worker, isMainThread } = require('node:worker_threads');
function work(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += i;
  }
  return sum;
}
if (isMainThread) {
  new Worker(__filename).on('exit', () => work(2));
} else {
  work(3);
}
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    let source = json!({"path": path(&folder, "app.js")});
    let set = client.quiet("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 5}]}));
    assert_eq!(set["breakpoints"][0]["message"], "executed 5 times");
    let targets = client.quiet("gotoTargets", json!({"source": source, "line": 5}));
    let labels: Vec<&Value> = targets["targets"].as_array().unwrap().iter().map(|target| &target["label"]).collect();
    assert_eq!((labels.len(), labels[2]), (5, &json!("line 5, time 1 of 3 in thread 2")), "{labels:?}");
}

#[test]
fn breakpoints_are_set_again_in_the_run_of_a_restart() {
    let folder = project(&[("app.js", "function f(n) {\n  return n;\n}\nf(1);\n")]);
    let mut client = Client::launched(folder.path(), "node app.js");
    let source = json!({"path": path(&folder, "app.js")});
    client.ask("setBreakpoints", json!({"source": source, "breakpoints": [{"line": 2, "logMessage": "n is {n}"}]}));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "g"}]}));
    client.ask("gotoTargets", json!({"source": source, "line": 2}));
    client.go("configurationDone", json!({}));
    fs::write(folder.path().join("app.js"), "function f(n) {\n  return n;\n}\nfunction g() { f(2); f(3); }\ng();\n")
        .unwrap();
    client.go("restart", json!({}));
    // A target that was offered in the run before is none of this one.
    client.ask("goto", json!({"threadId": 1, "targetId": 1}));
    client.go("reverseContinue", json!({"threadId": 1}));
    expect_file!["dap/restart-breakpoints.txt"].assert_eq(&client.transcript);
}

#[test]
fn entries_are_places_too() {
    let app = "\
const stock = new Map([['pen', 1]]);
const sold = new Set();
stock.set('pen', 2);
sold.add('pen');
throw new Error('end');
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.go("configurationDone", json!({}));
    let mut ids = Vec::new();
    for (name, key) in [("stock", "\"pen\""), ("sold", "\"pen\"")] {
        let value = client.ask("evaluate", json!({"expression": name, "context": "watch"}));
        let reference = &value["variablesReference"];
        let inside = client.ask("variables", json!({"variablesReference": reference}));
        let entry = &inside["variables"][0];
        client.ask("evaluate", json!({"expression": entry["evaluateName"], "context": "watch"}));
        let info = client.quiet("dataBreakpointInfo", json!({"variablesReference": reference, "name": key}));
        ids.push(json!({"dataId": info["dataId"]}));
    }
    // What stands before `.get` may be any expression.
    let either = client.ask("evaluate", json!({"expression": "false || stock", "context": "watch"}));
    client.ask("variables", json!({"variablesReference": either["variablesReference"]}));
    client.quiet("setDataBreakpoints", json!({"breakpoints": ids}));
    for _ in 0..3 {
        client.go("reverseContinue", json!({"threadId": 1}));
    }
    expect_file!["dap/entries.txt"].assert_eq(&client.transcript);
}

#[test]
fn a_function_breakpoint_stops_where_the_call_has_its_arguments() {
    let app = "\
function half(n, { by } = { by: 2 }) {
  return n / by;
}
for (let i = 0; i < 5; i++) {
  half(i);
}
";
    let folder = project(&[("app.js", app)]);
    let mut client = Client::launched(folder.path(), "node app.js");
    client.go("configurationDone", json!({}));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "half", "condition": "n > 2"}]}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "n", "context": "watch"}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("evaluate", json!({"expression": "n", "context": "watch"}));
    client.go("reverseContinue", json!({"threadId": 1}));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "half", "hitCondition": "% 2"}]}));
    for command in ["continue", "continue", "continue", "reverseContinue", "reverseContinue", "reverseContinue"] {
        client.go(command, json!({"threadId": 1}));
        client.ask("evaluate", json!({"expression": "n", "context": "watch"}));
    }
    expect_file!["dap/function-breakpoints.txt"].assert_eq(&client.transcript);
}
