//! Policies that grow until a path is found, under both databases.

use std::collections::BTreeSet;

use crate::support::program::{Program, report};
use crate::support::{Project, Server};
use crash_server::{Budget, Database};
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn sqlite_finds_paths() {
    let folder = TempDir::new().expect("a folder");
    let database = Database::Folder(folder.path().to_owned());
    let server = Server::start(database.clone());
    finds_the_path_of_the_paper(&server);
    tracks_many_bugs(&server);
    keeps_what_a_release_did_not_change(&server);
    tells_crashes_at_one_place_apart(&server);
    switches_off_and_on(&server);
    drop(server);
    keeps_to_the_budget(database);
}

#[test]
fn postgres_finds_paths() {
    let postgres = test_postgres::Postgres::start();
    let database = Database::Url(postgres.database("growing"));
    let server = Server::start(database.clone());
    finds_the_path_of_the_paper(&server);
    tracks_many_bugs(&server);
    keeps_what_a_release_did_not_change(&server);
    tells_crashes_at_one_place_apart(&server);
    switches_off_and_on(&server);
    two_instances_lose_no_step(&server, &Server::start(database.clone()));
    drop(server);
    keeps_to_the_budget(database);
}

/// A program of one user, run again and again.
struct User<'s> {
    server: &'s Server,
    project: &'s Project,
    cohort: u16,
    n_reports: u64,
}

impl User<'_> {
    fn policy(&self) -> Value {
        let path = format!("/v1/policy?release=1.0.0&cohort={}", self.cohort);
        let answer = self.server.client().get(&path, &self.project.report);
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("ETag"), Some(&*format!("{}", answer.json()["id"])));
        answer.json()
    }

    /// Crashes once. Gives the bugs after it.
    fn crash(&mut self, program: &Program, release: &str) -> Vec<Value> {
        let policy = self.policy();
        let (labels, stack) = program.run(&policy);
        let mut report = report(self.n_reports, self.cohort, &policy, &labels, &stack);
        report["release"] = json!(release);
        self.send(&report)
    }

    fn send(&mut self, report: &Value) -> Vec<Value> {
        let answer = self.server.client().post("/v1/reports", &self.project.report, &report.to_string());
        assert_eq!(answer.status, 202, "{answer:?}");
        self.n_reports += 1;
        self.server.bugs_after(self.project, self.n_reports)
    }
}

fn functions(policy: &Value) -> BTreeSet<String> {
    let files = policy["files"].as_array().expect("files").iter();
    files
        .flat_map(|file| file["functions"].as_array().expect("functions"))
        .map(|key| key.as_str().expect("a key").to_owned())
        .collect()
}

fn finds_the_path_of_the_paper(server: &Server) {
    let project = server.project("paper");
    let mut user = User { server, project: &project, cohort: 7, n_reports: 0 };
    let program = Program { salt: 1, changed: &[] };
    assert!(functions(&user.policy()).is_empty(), "nothing is recorded before a crash");
    let mut bugs = user.crash(&program, "1.0.0");
    assert_eq!(bugs[0]["state"], "growing");
    while bugs[0]["state"] == "growing" {
        bugs = user.crash(&program, "1.0.0");
        assert!(user.n_reports < 8, "the paper needs five: {bugs:?}");
    }
    assert_eq!((bugs.len(), bugs[0]["state"].as_str()), (1, Some("found")));
    assert!(functions(&user.policy()).is_empty(), "recording is off");
    let detail =
        server.client().get(&format!("/v1/bugs/{}", bugs[0]["id"].as_str().expect("an id")), &project.operator).json();
    let labels: Vec<&str> = detail["path"]
        .as_array()
        .expect("a path")
        .iter()
        .map(|step| step["step"]["label"].as_str().expect("a label"))
        .collect();
    assert_eq!((labels.first(), labels.last(), &detail["complete"]), (Some(&"start"), Some(&"crash"), &json!(true)));
    let not_needed = program.key('i');
    assert!(!detail.to_string().contains(&not_needed), "i has no part in it");
}

fn tracks_many_bugs(server: &Server) {
    let project = server.project("many");
    let mut user = User { server, project: &project, cohort: 1, n_reports: 0 };
    let programs: Vec<Program> = (10..15).map(|salt| Program { salt, changed: &[] }).collect();
    for _ in 0..8 {
        for program in &programs {
            user.crash(program, "1.0.0");
        }
    }
    let bugs = server.bugs_after(&project, user.n_reports);
    let states: Vec<&str> = bugs.iter().map(|bug| bug["state"].as_str().expect("a state")).collect();
    assert_eq!(states, ["found"; 5]);
}

fn keeps_what_a_release_did_not_change(server: &Server) {
    let project = server.project("releases");
    let mut user = User { server, project: &project, cohort: 1, n_reports: 0 };
    let (old, new) = (Program { salt: 2, changed: &[] }, Program { salt: 2, changed: &['k'] });
    user.crash(&old, "1.0.0");
    user.crash(&old, "1.0.0");
    let before = functions(&user.policy());
    assert!(before.contains(&old.key('k')) && before.contains(&old.key('g')), "{before:?}");
    let mut bugs = user.crash(&new, "2.0.0");
    assert_eq!(bugs.len(), 1, "it is the same bug: {bugs:?}");
    let after = functions(&user.policy());
    assert!(after.contains(&old.key('g')), "g was not changed, and is known still");
    assert!(!after.contains(&old.key('k')), "the old k is gone");
    while bugs[0]["state"] == "growing" {
        bugs = user.crash(&new, "2.0.0");
        assert!(user.n_reports < 12, "{bugs:?}");
    }
    assert_eq!((&bugs[0]["state"], &bugs[0]["release"]), (&json!("found"), &json!("2.0.0")));
}

/// Two ways to crash in `m`: the path tells them apart, the place does not.
fn tells_crashes_at_one_place_apart(server: &Server) {
    let project = server.project("apart");
    let mut user = User { server, project: &project, cohort: 1, n_reports: 0 };
    let program = Program { salt: 3, changed: &[] };
    let (labels, stack) = program.run(&Value::Null);
    let crash = labels.last().expect("a crash").clone();
    let taken = |taken: bool| {
        let mut site = crash["site"].clone();
        site["kind"] = json!("Branch");
        json!({ "label": "branch", "site": site, "taken": taken })
    };
    let birth = json!({ "label": "start", "site": crash["site"] });
    let one = [birth.clone(), taken(true), taken(false), crash.clone()];
    let other = [birth, taken(false), taken(true), crash.clone()];
    let mut send = |labels: &[Value], stack: &[Value]| {
        let report = report(user.n_reports, 1, &Value::Null, labels, stack);
        user.send(&report)
    };
    send(&one, &stack);
    assert_eq!(send(&one, &stack[..1]).len(), 1, "another stack is no other bug");
    assert_eq!(send(&other, &stack).len(), 2, "another path is");
    assert_eq!(send(&other, &stack).len(), 2);
    assert_eq!(send(std::slice::from_ref(&crash), &stack).len(), 2, "who recorded nothing adds no bug");
    assert_eq!(send(&other[1..], &stack).len(), 2, "what was before the birth does not count");
    assert_eq!(send(&one[1..], &stack).len(), 2);
}

fn switches_off_and_on(server: &Server) {
    let project = server.project("switch");
    let mut user = User { server, project: &project, cohort: 1, n_reports: 0 };
    let bugs = user.crash(&Program { salt: 4, changed: &[] }, "1.0.0");
    let path = format!("/v1/bugs/{}", bugs[0]["id"].as_str().expect("an id"));
    assert!(!functions(&user.policy()).is_empty());
    let off = server.client().with_json("PATCH", &path, &project.operator, "{\"recording\": false}");
    assert_eq!((off.status, &off.json()["state"]), (200, &json!("off")));
    assert!(functions(&user.policy()).is_empty());
    let on = server.client().with_json("PATCH", &path, &project.operator, "{\"recording\": true}");
    assert_eq!(on.json()["state"], "watching");
    let bugs = user.crash(&Program { salt: 4, changed: &[] }, "1.0.0");
    assert_eq!(bugs[0]["state"], "growing");
    let foreign = server.project("stranger");
    assert_eq!(server.client().get(&path, &foreign.operator).status, 404);
    assert_eq!(server.client().with_json("PATCH", &path, &foreign.operator, "{\"recording\": false}").status, 404);
}

/// Each of many reports brings one more caller; whoever analyses it, none may be lost.
fn two_instances_lose_no_step(one: &Server, other: &Server) {
    const N_CALLERS: u64 = 60;
    let project = one.project("together");
    let program = Program { salt: 5, changed: &[] };
    let (labels, stack) = program.run(&Value::Null);
    let report_of = |number: u64| {
        let caller = json!({ "file": "app/callers.js", "function": format!("{number:016x}"), "line": 1, "column": 1 });
        let enter = json!({ "label": "enter", "function": program.function('m'), "caller": caller });
        report(
            number,
            (number % 20) as u16,
            &Value::Null,
            &[enter, labels.last().expect("a crash").clone()],
            &stack[..1],
        )
    };
    // The first crash makes `m` be recorded; each one after it adds its caller.
    let first = report(N_CALLERS, 0, &Value::Null, &labels, &stack[..1]);
    assert_eq!(one.client().post("/v1/reports", &project.report, &first.to_string()).status, 202);
    one.bugs_after(&project, 1);
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (server, project, report_of) = (if thread % 2 == 0 { one } else { other }, &project, &report_of);
            scope.spawn(move || {
                for number in (thread..N_CALLERS).step_by(6) {
                    let answer = server.client().post("/v1/reports", &project.report, &report_of(number).to_string());
                    assert_eq!(answer.status, 202, "{answer:?}");
                }
            });
        }
    });
    let bugs = one.bugs_after(&project, N_CALLERS + 1);
    assert_eq!(bugs.len(), 1, "{bugs:?}");
    assert_eq!(bugs[0]["functions"], N_CALLERS + 1);
    // Whatever one instance learned both hand out.
    let policy = |server: &Server| User { server, project: &project, cohort: 1, n_reports: 0 }.policy();
    assert_eq!(functions(&policy(one)).len() as u64, N_CALLERS + 1);
    assert_eq!(policy(one), policy(other));
}

/// Of a hundred users ten record something, and none more than its share.
fn keeps_to_the_budget(database: Database) {
    let server = Server::with(database, |options| options.budget = Budget { per_user: 0.03, users: 0.1 });
    let project = server.project("budget");
    let policy = |cohort: u16| User { server: &server, project: &project, cohort, n_reports: 0 }.policy();
    for cohort in 0..100 {
        policy(cohort);
    }
    let mut user = User { server: &server, project: &project, cohort: 42, n_reports: 0 };
    user.crash(&Program { salt: 6, changed: &[] }, "1.0.0");
    let recording: Vec<u16> = (0..100).filter(|cohort| !functions(&policy(*cohort)).is_empty()).collect();
    assert_eq!(recording.len(), 10, "{recording:?}");
    assert!(recording.contains(&42), "who met the bug goes first");
    // The recorder took a third of the time of this user: nobody is asked to record for it again.
    let (labels, stack) = Program { salt: 6, changed: &[] }.run(&policy(42));
    let mut dear = report(user.n_reports, 42, &policy(42), &labels, &stack);
    dear["spent"] = json!({ "events": 1000, "seconds": 3.0, "recorder_seconds": 1.0 });
    user.send(&dear);
    let recording: Vec<u16> = (0..100).filter(|cohort| !functions(&policy(*cohort)).is_empty()).collect();
    assert!(recording.is_empty(), "{recording:?}");
}
