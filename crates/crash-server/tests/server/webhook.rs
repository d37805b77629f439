//! Who is told of bugs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use crash_server::{Database, Webhook};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_postgres::Postgres;

use crate::support::program::{Program, report};
use crate::support::{Project, Server};

#[test]
fn new_and_reopened_bugs_are_told_with_sqlite() {
    let folder = TempDir::new().expect("a folder");
    tells(Database::Folder(folder.path().to_owned()));
}

#[test]
fn new_and_reopened_bugs_are_told_with_postgres() {
    let postgres = Postgres::start();
    tells(Database::Url(postgres.database("told")));
}

fn tells(database: Database) {
    let receiver = Receiver::start();
    let server = Server::with(database, |options| options.webhook = Some(receiver.webhook(true)));
    let project = server.project("shop");
    send(&server, &project, crash(1, "1.0.0"));
    // What was not taken is sent again, and signed alike.
    let (first, again) = (receiver.next("503 No"), receiver.next("200 OK"));
    assert_eq!((&first.body, &first.signature), (&again.body, &again.signature));
    let told: Value = serde_json::from_str(&again.body).expect("JSON");
    assert_eq!((&told["event"], &told["project"]), (&json!("new"), &json!("shop")));
    let bug = told["bug"]["id"].as_str().expect("an id").to_owned();
    assert!(again.signature.starts_with("sha256=") && again.signature.len() == 71, "{}", again.signature);
    server.wait_until(|server| server.count("notifications") == 0);

    // Nobody is told of a bug that is known; and of one that was done with only for a release that is new to it.
    send(&server, &project, crash(2, "1.0.0"));
    server.bugs_after(&project, 2);
    let off =
        server.client().with_json("PATCH", &format!("/v1/bugs/{bug}"), &project.operator, "{\"recording\": false}");
    assert_eq!(off.status, 200, "{off:?}");
    send(&server, &project, crash(3, "1.0.0"));
    server.bugs_after(&project, 3);
    send(&server, &project, crash(4, "1.1.0"));
    let told: Value = serde_json::from_str(&receiver.next("204 Thanks").body).expect("JSON");
    assert_eq!(
        (&told["event"], &told["bug"]["id"], &told["bug"]["count"]),
        (&json!("reopened"), &json!(bug), &json!(4))
    );
    server.wait_until(|server| server.count("notifications") == 0);

    // Once, whatever releases somebody makes up, until its state changes.
    send(&server, &project, crash(5, "1.2.0"));
    server.bugs_after(&project, 5);
    assert_eq!(server.count("notifications"), 0);
    for recording in [true, false] {
        let body = json!({ "recording": recording }).to_string();
        let changed = server.client().with_json("PATCH", &format!("/v1/bugs/{bug}"), &project.operator, &body);
        assert_eq!(changed.status, 200, "{changed:?}");
    }
    send(&server, &project, crash(6, "1.3.0"));
    let told: Value = serde_json::from_str(&receiver.next("204 Thanks").body).expect("JSON");
    assert_eq!((&told["event"], &told["bug"]["count"]), (&json!("reopened"), &json!(6)));
    server.wait_until(|server| server.count("notifications") == 0);

    // What cannot be read is not told, and stands in nobody's way.
    server.execute("INSERT INTO bugs (project, id, place, state, last_seen, document) VALUES (1, '000000000000', 'x', 'off', 9, '{}')");
    for id in ["000000000000", "none"] {
        server.execute(&format!(
            "INSERT INTO notifications (project, bug, event, n_tries, due_at) VALUES (1, '{id}', 'new', 0, 0)"
        ));
    }
    server.wait_until(|server| server.count("notifications") == 0);
}

#[test]
fn private_addresses_are_told_only_where_that_is_allowed() {
    let folder = TempDir::new().expect("a folder");
    let receiver = Receiver::start();
    let webhook = Some(receiver.webhook(false));
    let server = Server::with(Database::Folder(folder.path().to_owned()), |options| options.webhook = webhook);
    let project = server.project("shop");
    send(&server, &project, crash(1, "1.0.0"));
    let is_said = |server: &Server| {
        server.log.lock().expect("a log").iter().any(|line| line.contains("its address is not a public one"))
    };
    server.wait_until(is_said);
    receiver.listener.set_nonblocking(true).expect("a listener");
    assert!(receiver.listener.accept().is_err(), "it was connected to");
}

#[test]
fn an_address_that_is_none_is_refused() {
    for url in ["https://example.org/x", "example.org", "http:///x", "ftp://x/y", ""] {
        assert!(Webhook::new(url, "secret".into(), false).is_err(), "{url}");
    }
    assert!(Webhook::new("http://example.org/x", String::new(), false).is_err());
}

struct Receiver {
    listener: TcpListener,
}

struct Message {
    body: String,
    signature: String,
}

impl Receiver {
    fn start() -> Receiver {
        Receiver { listener: TcpListener::bind("127.0.0.1:0").expect("a port") }
    }

    fn webhook(&self, is_private_allowed: bool) -> Webhook {
        let url = format!("http://{}/bugs", self.listener.local_addr().expect("an address"));
        let webhook = Webhook::new(&url, "secret".into(), is_private_allowed).expect("an address");
        Webhook { first_wait: Duration::from_millis(50), ..webhook }
    }

    /// The next message, which is answered so.
    fn next(&self, status: &str) -> Message {
        let (stream, _) = self.listener.accept().expect("a connection");
        let mut reader = BufReader::new(stream);
        let (mut length, mut signature) = (0, String::new());
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a line");
            let (name, value) = line.trim_end().split_once(": ").unwrap_or((line.trim_end(), ""));
            match name.to_lowercase().as_str() {
                "" => break,
                "content-length" => length = value.parse().expect("a number"),
                "x-wherefore-signature" => signature = value.to_owned(),
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("the body");
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        reader.get_mut().write_all(answer.as_bytes()).expect("it is taken");
        Message { body: String::from_utf8(body).expect("text"), signature }
    }
}

fn send(server: &Server, project: &Project, crash: Value) {
    let answer = server.client().post("/v1/reports", &project.report, &crash.to_string());
    assert_eq!(answer.status, 202, "{answer:?}");
}

fn crash(number: u64, release: &str) -> Value {
    let (labels, stack) = Program { salt: 1, changed: &[] }.run(&Value::Null);
    let mut report = report(number, 1, &Value::Null, &labels, &stack);
    report["release"] = json!(release);
    report
}
