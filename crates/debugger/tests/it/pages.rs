//! Every list, page by page. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;

use debugger::{
    Answer, CallsRequest, Control, Cursor, EventFilter, FindRequest, Output, PageRequest, Question, QuestionKind,
    RecordRequest, RunChoice, Session, record,
};
use tempfile::TempDir;

const SHOP: &str = "\
const { price } = require('./price.js');
const cart = { total: 0, lines: [] };
class Line { constructor(name) { this.name = name; this.price = price(name.length); } }
function* names() { for (let i = 0; i < 4; i++) yield 'item' + 'x'.repeat(i); }
async function add(name) {
  const line = new Line(name);
  await null;
  cart.lines.push(line);
  cart.total += price(line.price);
}
for (const name of names()) add(name);
const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) new Worker(__filename);
process.on('exit', () => { throw new Error('total ' + cart.total); });
";

fn recorded() -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("shop.js"), SHOP).unwrap();
    fs::write(
        folder.path().join("price.js"),
        "exports.price = (n) => round(n * 2);\nfunction round(n) { return n; }\n",
    )
    .unwrap();
    let mut request = RecordRequest::of(vec!["node".into(), "shop.js".into()]);
    request.run_folder = Some(folder.path().join("run"));
    request.output = Output::Nothing;
    record(&request, folder.path()).unwrap();
    let session = open(&folder.path().join("run"));
    (folder, session)
}

fn open(run: &Path) -> Session {
    Session::open(&RunChoice(Some(run.display().to_string())), run).unwrap()
}

type List = (&'static str, Box<dyn Fn(PageRequest) -> QuestionKind>, Option<&'static str>);

fn lists() -> Vec<List> {
    let calls = |function: Option<&'static str>, depth, of_point| {
        move |page| {
            let function = function.map(str::to_owned);
            QuestionKind::Calls(CallsRequest { function, file: None, of_point, own: false, depth, page })
        }
    };
    let kind = Some("call".to_owned());
    let find = move |page| QuestionKind::Find(FindRequest { kind: kind.clone(), page, ..FindRequest::default() });
    vec![
        ("the whole call tree", Box::new(calls(None, 9, false)), None),
        ("two levels of it", Box::new(calls(None, 2, false)), None),
        ("calls of one function", Box::new(calls(Some("round"), 3, false)), None),
        ("what one call made", Box::new(calls(None, 2, true)), Some("shop.js:6#2")),
        ("found events of all threads", Box::new(find.clone()), None),
        ("found events of one", Box::new(find), Some("shop.js:9")),
        (
            "changes",
            Box::new(|page| QuestionKind::History { place: Some("cart.total".into()), page }),
            Some("shop.js:14"),
        ),
        (
            "events of a call",
            Box::new(|page| QuestionKind::EventsOfCall { filter: EventFilter::default(), page }),
            Some("shop.js:9"),
        ),
        ("failures", Box::new(QuestionKind::Failures), None),
        ("threads", Box::new(QuestionKind::Threads), None),
        ("sources", Box::new(QuestionKind::Sources), None),
    ]
}

/// What is on a page, each item as a text, and where the list goes on.
fn page(session: &Session, kind: QuestionKind, at: Option<&str>) -> (Vec<String>, Option<Cursor>) {
    let question = Question::at(kind, at.and_then(|at| at.parse().ok()));
    fn texts<T: std::fmt::Debug>(page: debugger::Page<T>) -> (Vec<String>, Option<Cursor>) {
        (page.items.iter().map(|item| format!("{item:?}")).collect(), page.next)
    }
    match session.ask(&question, &Control::default()).unwrap_or_else(|error| panic!("{question:?}: {error}")).answer {
        Answer::Calls(page) => texts(page),
        Answer::Find(page) => texts(page),
        Answer::History(history) => texts(history.changes),
        Answer::EventsOfCall(page) => texts(page),
        Answer::Failures(page) => texts(page),
        Answer::Threads(page) => texts(page),
        Answer::Sources(page) => texts(page),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_pages_of_a_list_are_the_list() {
    let (_folder, session) = recorded();
    for (name, list, at) in lists() {
        let (whole, next) = page(&session, list(PageRequest::default()), at);
        assert!(next.is_none(), "{name}");
        assert!(whole.len() >= 2 || name == "failures" && whole.len() == 1, "{name}: {whole:?}");
        for limit in 1..=3 {
            let mut seen: Vec<String> = Vec::new();
            let mut request = PageRequest::first(limit);
            loop {
                // Each page by another process, as it were.
                let (items, next) = page(&open(session.folder()), list(request.clone()), at);
                assert!(items.len() <= limit, "{name}");
                // Changes are told oldest first, and the first page has the newest.
                if name == "changes" {
                    seen.splice(0..0, items)
                } else {
                    seen.splice(seen.len().., items)
                };
                assert!(seen.len() <= whole.len(), "{name}: {seen:?}");
                let Some(next) = next else { break };
                request = request.behind(next.to_string().parse().unwrap());
            }
            assert_eq!(seen, whole, "{name}, by {limit}");
        }
    }
}

#[test]
fn a_cursor_of_another_list_is_refused() {
    let (_folder, session) = recorded();
    for (name, list, at) in lists() {
        for cursor in ["elsewhere-1-2", "calls", "9999999999999999999999", ""] {
            let request = PageRequest { from: cursor.parse().ok(), limit: Some(1) };
            let question = Question::at(list(request), at.and_then(|at| at.parse().ok()));
            let error = session.ask(&question, &Control::default()).err().map(|error| error.id());
            assert_eq!(error, Some("no-such-cursor"), "{name}: {cursor}");
        }
    }
}

#[test]
fn runs_come_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let mut request = RecordRequest::of(vec!["node".into(), "-e".into(), "1".into()]);
        request.output = Output::Nothing;
        record(&request, folder.path()).unwrap();
    }
    let first = debugger::runs(folder.path(), &PageRequest::first(2)).unwrap();
    assert_eq!((first.items.len(), first.n_all), (2, Some(3)));
    // A page stays where it is when a run before it is gone.
    debugger::remove_runs(folder.path(), &[1]).unwrap();
    let second = debugger::runs(folder.path(), &PageRequest::first(2).behind(first.next.unwrap())).unwrap();
    assert_eq!(second.items.iter().map(|run| run.number).collect::<Vec<_>>(), [3]);
    assert!(second.next.is_none());
}
