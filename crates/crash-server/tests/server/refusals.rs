//! What must be refused is refused, with nothing stored and nothing told.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::program::{Program, report, report_id};
use crate::support::{Answer, Project, Server};
use crash_server::{Database, Rate};
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn sqlite_takes_only_what_it_should() {
    let folder = TempDir::new().expect("a folder");
    refuses_everything(Database::Folder(folder.path().to_owned()));
}

#[test]
fn a_body_that_is_too_large_uses_up_what_a_key_may_send() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::with(Database::Folder(folder.path().to_owned()), |options| {
        options.rate = Rate { per_second: 1.0 };
    });
    let project = server.project("shop");
    let large = " ".repeat(300 * 1024);
    refused(&server.client().post("/v1/reports", &project.report, &large), 413, "too-large");
    refused(&server.client().post("/v1/reports", &project.report, &good().to_string()), 429, "too-many");
}

#[test]
fn a_map_is_read_only_of_who_has_a_key() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(Database::Folder(folder.path().to_owned()));
    let mut stream = TcpStream::connect(server.address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time");
    let head = "PUT /v1/releases/1/maps/main.js HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";
    stream.write_all(head.as_bytes()).expect("a head");
    // The body never comes.
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).expect("an answer");
    assert!(line.contains(" 401 "), "{line}");
}

#[test]
fn postgres_takes_only_what_it_should() {
    let postgres = test_postgres::Postgres::start();
    refuses_everything(Database::Url(postgres.database("refusals")));
}

/// Must be found neither in the database nor in the log.
const SECRET: &str = "hunter2-secret-value";

fn refuses_everything(database: Database) {
    let server = Server::start(database.clone());
    let (mine, others) = (server.project("mine"), server.project("others"));
    let no_key = server.client().send(
        "POST",
        "/v1/reports",
        &[("Content-Type", "application/json")],
        good().to_string().as_bytes(),
    );
    refused(&no_key, 401, "no-key");
    assert!(no_key.header("WWW-Authenticate").is_some());

    let wrong = format!("{}{}", &mine.report[..mine.report.len() - 4], "0000");
    refused(&server.client().post("/v1/reports", &wrong, &good().to_string()), 401, "wrong-key");
    refused(&server.client().post("/v1/reports", SECRET, &good().to_string()), 401, "wrong-key");
    refused(&server.client().post("/v1/reports", &mine.operator, &good().to_string()), 403, "key-of-other-kind");
    refused(&server.client().get("/v1/bugs", &mine.report), 403, "key-of-other-kind");

    another_project(&server, &mine, &others);
    malformed(&server, &mine);

    let large = json!({ "version": 1, "padding": SECRET.repeat(20_000) }).to_string();
    refused(&server.client().post("/v1/reports", &mine.report, &large), 413, "too-large");

    let secrets = [SECRET, &mine.report[17..], &mine.operator[17..], &others.report[17..]];
    let log = server.log.lock().expect("a log").join("\n");
    for secret in secrets {
        assert!(!server.everything().contains(secret), "{secret} was stored");
        assert!(!log.contains(secret), "{secret} was logged");
    }
    for table in ["reports", "inbox", "bugs", "meetings"] {
        assert_eq!(server.count(table), 0, "{table}");
    }

    replayed(&server, &others);
    drop(server);
    too_many(&Server::with(database, |options| options.rate = Rate { per_second: 0.1 }));
}

fn another_project(server: &Server, mine: &Project, others: &Project) {
    let policy = server.client().get("/v1/policy?release=1.0.0&cohort=1", &others.report).json();
    let mut report = good();
    report["policy"] = policy["id"].clone();
    refused(&server.client().post("/v1/reports", &mine.report, &report.to_string()), 403, "policy-of-other-project");
}

fn malformed(server: &Server, mine: &Project) {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut report = good();
        change(&mut report);
        report.to_string()
    };
    let unreadable = [
        with(&|report| report["values"] = json!(SECRET)),
        with(&|report| report["labels"][0]["value"] = json!(SECRET)),
        with(&|report| report["stack"][0]["text"] = json!(SECRET)),
        with(&|report| report["message"] = json!(SECRET.repeat(100))),
        with(&|report| report["version"] = json!(2)),
        with(&|report| report["cohort"] = json!(1000)),
        with(&|report| report["id"] = json!(SECRET)),
        with(&|report| report["exception"] = json!(format!("TypeError: {SECRET} is not a function"))),
        with(&|report| report["stack"][0]["file"] = json!("a\u{0}b")),
        with(&|report| report["stack"][0]["function"] = json!(SECRET)),
        with(&|report| report["labels"] = json!(vec![json!({ "label": "task" }); 4097])),
        with(&|report| report["spent"]["seconds"] = json!(-1)),
        with(&|report| drop(report.as_object_mut().expect("an object").remove("release"))),
        json!([]).to_string(),
        // The fields in their order, without their names.
        with(&|report| report["spent"] = json!([1, 1.0, 0.5])),
        with(&|report| report["labels"] = json!([["task"]])),
    ];
    for body in &unreadable {
        let answer = server.client().post("/v1/reports", &mine.report, body);
        refused(&answer, 422, "unreadable");
        assert!(!answer.body.contains(SECRET), "the answer repeats it: {}", answer.body);
    }
    for body in ["", "{", "{\"version\": 1,", &good().to_string()[..200], "\u{feff}{}"] {
        let answer = server.client().post("/v1/reports", &mine.report, body);
        refused(&answer, 400, "not-json");
    }
    let headers = [("Authorization", format!("Bearer {}", mine.report)), ("Content-Type", "text/plain".to_owned())];
    let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
    refused(
        &server.client().send("POST", "/v1/reports", &headers, good().to_string().as_bytes()),
        415,
        "wrong-content-type",
    );
}

/// The first is stored, the second is not, whatever it says.
fn replayed(server: &Server, project: &Project) {
    let first = server.client().post("/v1/reports", &project.report, &good().to_string());
    assert_eq!((first.status, first.json()["status"].as_str()), (202, Some("accepted")));
    let mut changed = good();
    changed["exception"] = json!("RangeError");
    let again = server.client().post("/v1/reports", &project.report, &changed.to_string());
    assert_eq!((again.status, again.json()["status"].as_str()), (200, Some("known")));
    assert_eq!(server.count("reports"), 1);
    let bugs = server.bugs_after(project, 1);
    assert_eq!(bugs[0]["exception"], "TypeError");
    assert!(!server.everything().contains("RangeError"));
}

/// One request, and then none for ten seconds.
fn too_many(server: &Server) {
    let project = server.project("busy");
    let n_stored = server.count("reports");
    let mut report = good();
    report["id"] = json!(report_id(99));
    assert_eq!(server.client().get("/v1/policy?release=1.0.0&cohort=1", &project.report).status, 200);
    let refusal = server.client().post("/v1/reports", &project.report, &report.to_string());
    refused(&refusal, 429, "too-many");
    assert!(refusal.header("Retry-After").is_some());
    assert_eq!(server.count("reports"), n_stored);
}

fn refused(answer: &Answer, status: u16, error: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert_eq!(answer.json()["error"], error, "{answer:?}");
}

fn good() -> Value {
    let program = Program { salt: 1, changed: &[] };
    let (labels, stack) = program.run(&Value::Null);
    report(1, 7, &Value::Null, &labels, &stack)
}
