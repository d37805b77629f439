//! What an operator needs when something goes wrong, or grows large.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crash_server::{Database, Quota};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_postgres::Postgres;

use crate::support::program::{Program, report};
use crate::support::{Project, Server};

#[test]
fn a_report_that_cannot_be_read_stops_nobody_with_sqlite() {
    let folder = TempDir::new().expect("a folder");
    puts_aside_what_cannot_be_read(Database::Folder(folder.path().to_owned()));
}

#[test]
fn a_report_that_cannot_be_read_stops_nobody_with_postgres() {
    let postgres = Postgres::start();
    puts_aside_what_cannot_be_read(Database::Url(postgres.database("unreadable")));
}

fn puts_aside_what_cannot_be_read(database: Database) {
    let server = Server::start(database.clone());
    let (mine, others) = (server.project("mine"), server.project("others"));
    // As if another build had stored it.
    server.execute("INSERT INTO reports (project, id, received_at, body) VALUES (1, 'bad', 0, '{\"version\": 9}')");
    server.execute("INSERT INTO inbox (project, report) VALUES (1, 'bad')");
    for number in 0..3 {
        send(&server, &mine, crash(number, 1));
        send(&server, &others, crash(10 + number, 2));
    }
    assert_eq!(server.bugs_after(&mine, 3).len(), 1);
    assert_eq!(server.bugs_after(&others, 3).len(), 1);
    let letters = crash_server::dead_letters(&database).expect("a list");
    assert_eq!(letters.len(), 1, "{letters:?}");
    assert_eq!((letters[0].project.as_str(), letters[0].report.as_str()), ("mine", "bad"));
    assert!(letters[0].reason.contains("a report"), "{letters:?}");

    // Once it can be read, it is analysed as any other.
    server.execute(&format!("UPDATE reports SET body = '{}' WHERE id = 'bad'", crash(3, 1)));
    assert_eq!(crash_server::retry_dead_letters(&database).expect("a number"), 1);
    assert_eq!(server.bugs_after(&mine, 4).len(), 1);
    assert_eq!(crash_server::dead_letters(&database).expect("a list"), []);
}

#[test]
fn a_bug_that_cannot_be_read_hides_no_other() {
    let folder = TempDir::new().expect("a folder");
    let server = Server::start(Database::Folder(folder.path().to_owned()));
    let project = server.project("shop");
    server.execute("INSERT INTO bugs (project, id, place, state, last_seen, document) VALUES (1, '000000000000', 'x', 'growing', 9, '{}')");
    send(&server, &project, crash(1, 1));
    assert_eq!(server.bugs_after(&project, 1).len(), 1);
    assert_eq!(server.client().get("/", &project.operator).status, 200);
    assert_eq!(server.client().get("/v1/policy?release=1.0.0&cohort=1", &project.report).status, 200);
}

#[test]
fn bugs_are_limited_for_a_key_and_for_a_project() {
    let folder = TempDir::new().expect("a folder");
    let database = Database::Folder(folder.path().to_owned());
    let quota = Quota { bugs_per_project: 3, new_bugs_per_key: 2 };
    let server = Server::with(database.clone(), |options| options.quota = quota);
    let (first, second) = (server.project("shop"), server.project("shop"));
    for number in 0..4 {
        send(&server, &first, crash(number, number));
    }
    assert_eq!(server.bugs_after(&first, 2).len(), 2);
    for number in 4..8 {
        send(&server, &second, crash(number, number));
    }
    // A bug that is known is counted all the same.
    send(&server, &second, crash(8, 0));
    assert_eq!(server.bugs_after(&first, 4).len(), 3);
    server.wait_until(|server| server.count("inbox") == 0);
    let letters = crash_server::dead_letters(&database).expect("a list");
    let n_of = |option: &str| letters.iter().filter(|letter| letter.reason.contains(option)).count();
    assert_eq!((n_of("--new-bugs-per-key"), n_of("--bugs-per-project")), (2, 3), "{letters:?}");
    let log = server.log.lock().expect("a log").join("\n");
    assert!(log.contains("became dead letters: too many new bugs came with this key"), "{log}");
    // A bug of each kind of place is known by another project.
    let other = server.project("other");
    send(&server, &other, crash(9, 9));
    assert_eq!(server.bugs_after(&other, 1).len(), 1);
}

#[test]
fn bugs_are_listed_by_pages_and_found_by_words_with_sqlite() {
    let folder = TempDir::new().expect("a folder");
    lists_bugs(Database::Folder(folder.path().to_owned()));
}

#[test]
fn bugs_are_listed_by_pages_and_found_by_words_with_postgres() {
    let postgres = Postgres::start();
    lists_bugs(Database::Url(postgres.database("listed")));
}

fn lists_bugs(database: Database) {
    let server = Server::start(database);
    let project = server.project("shop");
    for number in 0..5 {
        let mut crash = crash(number, number);
        crash["message"] = json!(format!("100%_Cart {number}"));
        send(&server, &project, crash);
    }
    let all = server.bugs_after(&project, 5);
    let list = |query: &str| server.client().get(&format!("/v1/bugs{query}"), &project.operator).json();
    let mut paged = Vec::new();
    let mut page = list("?limit=2");
    loop {
        paged.extend(page["bugs"].as_array().expect("bugs").clone());
        match page["next"].as_str() {
            Some(next) => page = list(&format!("?limit=2&next={next}")),
            None => break,
        }
    }
    assert_eq!(paged, all);
    let n_found = |query: &str| list(query)["bugs"].as_array().expect("bugs").len();
    assert_eq!(n_found("?search=cart%203"), 1);
    assert_eq!(n_found("?search=100%25_cart"), 5);
    assert_eq!(n_found("?search=100x"), 0);
    assert_eq!((n_found("?search=MAIN.js&state=growing"), n_found("?state=off")), (5, 0));
    for wrong in ["?limit=0", "?limit=201", "?limit=x", "?next=1", "?state=x"] {
        assert_eq!(server.client().get(&format!("/v1/bugs{wrong}"), &project.operator).status, 422, "{wrong}");
    }
    let shown = server.client().get("/?search=cart%202", &project.operator).body;
    assert!(shown.contains("value=\"cart 2\"") && shown.matches("<tr>").count() == 2, "{shown}");
    assert!(server.client().get("/?search=nowhere", &project.operator).body.contains("No crash was found."));
}

#[test]
fn bugs_and_projects_are_removed_with_sqlite() {
    let folder = TempDir::new().expect("a folder");
    removes(Database::Folder(folder.path().to_owned()));
}

#[test]
fn bugs_and_projects_are_removed_with_postgres() {
    let postgres = Postgres::start();
    removes(Database::Url(postgres.database("removed")));
}

fn removes(database: Database) {
    let server = Server::start(database.clone());
    let (mine, others) = (server.project("mine"), server.project("others"));
    send(&server, &mine, crash(1, 1));
    send(&server, &others, crash(2, 1));
    let bug = server.bugs_after(&mine, 1)[0]["id"].as_str().expect("an id").to_owned();
    server.bugs_after(&others, 1);
    let remove = |key: &str| server.client().with_json("DELETE", &format!("/v1/bugs/{bug}"), key, "").status;
    assert_eq!((remove(&mine.report), remove(&others.operator)), (403, 404));
    assert_eq!((remove(&mine.operator), remove(&mine.operator)), (204, 404));
    assert_eq!((server.count("bugs"), server.count("meetings")), (1, 1));

    assert_eq!(crash_server::list_projects(&database).expect("a list"), ["mine", "others"]);
    assert!(crash_server::remove_project(&database, "others").expect("it is done"));
    assert!(!crash_server::remove_project(&database, "others").expect("it is done"));
    assert_eq!((server.count("bugs"), server.count("reports"), server.count("keys")), (0, 1, 2));
    // The server may still remember its keys; what comes with them is not kept.
    let answer = server.client().post("/v1/reports", &others.report, &crash(3, 1).to_string());
    assert!([401, 503].contains(&answer.status), "{answer:?}");
    assert_eq!((server.count("reports"), server.count("inbox"), server.count("cohorts")), (1, 0, 0));
    assert_eq!(crash_server::list_projects(&database).expect("a list"), ["mine"]);
}

#[test]
fn who_sends_no_whole_head_is_not_waited_for() {
    let folder = TempDir::new().expect("a folder");
    let longest = Duration::from_millis(300);
    let server = Server::with(Database::Folder(folder.path().to_owned()), |options| options.longest_head = longest);
    for begun in ["", "GET /health HT", "GET /health HTTP/1.1\r\nHost: x\r\nA: b"] {
        let mut stream = TcpStream::connect(server.address).expect("the server listens");
        stream.write_all(begun.as_bytes()).expect("it is taken");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        let begin = Instant::now();
        // It hangs up, with or without a word.
        stream.read_to_end(&mut Vec::new()).expect("the end");
        assert!(begin.elapsed() >= longest / 2, "{begun}: after {:?}", begin.elapsed());
    }
    assert_eq!(server.client().send("GET", "/health", &[], b"").status, 204);
}

#[test]
fn metrics_are_told_at_an_address_of_their_own() {
    let folder = TempDir::new().expect("a folder");
    let metrics = Some(([127, 0, 0, 1], 0).into());
    let server = Server::with(Database::Folder(folder.path().to_owned()), |options| options.metrics = metrics);
    let project = server.project("shop");
    send(&server, &project, crash(1, 1));
    server.bugs_after(&project, 1);
    assert_eq!(server.client().get("/metrics", &project.operator).status, 404);
    let said = server
        .log
        .lock()
        .expect("a log")
        .iter()
        .find_map(|line| line.strip_prefix("metrics on http://").map(str::to_owned));
    let address = said.expect("it says where").trim_end_matches("/metrics").parse().expect("an address");
    let told = crate::support::Client::new(address).send("GET", "/metrics", &[], b"");
    assert_eq!(told.status, 200);
    for line in [
        "# TYPE wherefore_answers_total counter",
        "wherefore_answers_total{status=\"202\"} 1",
        "wherefore_bugs{state=\"growing\"} 1",
        "wherefore_waiting_reports 0",
        "wherefore_dead_letters 0",
    ] {
        assert!(told.body.lines().any(|told| told == line), "{line} is not in\n{}", told.body);
    }
}

fn send(server: &Server, project: &Project, crash: Value) {
    let answer = server.client().post("/v1/reports", &project.report, &crash.to_string());
    assert_eq!(answer.status, 202, "{answer:?}");
}

/// Each program crashes at a place of its own.
fn crash(number: u64, program: u64) -> Value {
    let (labels, stack) = Program { salt: program + 1, changed: &[] }.run(&Value::Null);
    report(number, 1, &Value::Null, &labels, &stack)
}
