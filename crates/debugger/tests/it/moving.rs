//! Steps to lines and to what was thrown. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;

use debugger::{
    Answer, Control, FindRequest, Output, Point, Question, QuestionKind, RecordRequest, RunChoice, SeekRequest,
    Session, record,
};
use tempfile::TempDir;

const APP: &str = "\
const { half } = require('./half.js');
try { half(3); } catch (error) { console.log(error.message); }
const sum = half(4) +
  half(8);
const found = [].find(() => true);
found.price;
";
const HALF: &str = "\
exports.half = function half(n) {
  if (n % 2) throw new Error('odd');
  return n / 2;
};
";

fn recorded() -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("app.js"), APP).unwrap();
    fs::write(folder.path().join("half.js"), HALF).unwrap();
    let mut request = RecordRequest::of(vec!["node".into(), "app.js".into()]);
    request.run_folder = Some(folder.path().join("run"));
    request.output = Output::Nothing;
    record(&request, folder.path()).unwrap();
    let session = open(&folder.path().join("run"));
    (folder, session)
}

fn open(run: &Path) -> Session {
    Session::open(&RunChoice(Some(run.display().to_string())), run).unwrap()
}

fn ask(session: &Session, kind: QuestionKind, at: &str) -> Answer {
    session.ask(&Question::at(kind, at.parse().ok()), &Control::default()).unwrap().answer
}

/// `app.js:6`, or nothing.
fn seek(session: &Session, what: FindRequest, is_back: bool, at: &str) -> Option<String> {
    let Answer::Seek(moved) = ask(session, QuestionKind::Seek(SeekRequest { what, is_back }), at) else { panic!() };
    let place = |point: Point| format!("{}:{}", point.file.unwrap_or_default(), point.line.unwrap_or_default());
    moved.point.map(place)
}

#[test]
fn a_line_without_a_file_is_of_the_file_of_the_point() {
    let (_folder, session) = recorded();
    let line = |line| FindRequest { line: Some(line), ..FindRequest::default() };
    assert_eq!(seek(&session, line(3), false, "app.js:2").as_deref(), Some("app.js:3"));
    assert_eq!(seek(&session, line(3), false, "half.js:2#2").as_deref(), Some("half.js:3"));
    assert_eq!(seek(&session, line(2), true, "app.js:5").as_deref(), Some("app.js:2"));
}

#[test]
fn what_the_engine_threw_is_found() {
    let (_folder, session) = recorded();
    let thrown = || FindRequest { kind: Some("throw".into()), ..FindRequest::default() };
    assert_eq!(seek(&session, thrown(), false, "app.js:1").as_deref(), Some("half.js:2"));
    assert_eq!(seek(&session, thrown(), false, "app.js:5").as_deref(), Some("app.js:6"));
    assert_eq!(seek(&session, thrown(), false, "crash"), None);
    assert_eq!(seek(&session, thrown(), true, "end").as_deref(), Some("app.js:6"));
    assert_eq!(seek(&session, thrown(), true, "crash").as_deref(), Some("half.js:2"));
}

#[test]
fn a_line_that_failed_before_it_did_anything_was_executed() {
    let (_folder, session) = recorded();
    let Answer::Source(source) = ask(&session, QuestionKind::Source { file: "app.js".into(), counts: true }, "end")
    else {
        panic!()
    };
    assert!(source.hits.contains(&(6, 1)), "{:?}", source.hits);
    assert!(source.hits.contains(&(5, 1)), "{:?}", source.hits);
}
