//! One run, asked by many at once. Needs the addon (`cargo xtask build`).

use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use debugger::{
    Answer, CallsRequest, Cancel, Control, Error, FindRequest, Judge, JudgeRequest, OpenRuns, Output, OverviewRequest,
    PageRequest, PartShown, Question, QuestionKind, RecordRequest, Reply, RunChoice, Session, StateRequest, WhyRequest,
    longest_wait, record,
};
use tempfile::TempDir;

const SHOP: &str = "\
const cart = { total: 0, lines: [] };
function add(name, price) {
  cart.lines.push({ name, price });
  cart.total += price;
  if (price > 3) cart.expensive = name;
}
for (let i = 0; i < 5; i++) add(`item ${i}`, i);
const wanted = cart.lines.find((line) => line.name === 'item 7');
console.log(cart.total);
wanted.price;
";

fn recorded(program: &str, arrange: impl FnOnce(&mut RecordRequest)) -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.js");
    fs::write(&path, program).unwrap();
    let mut request = RecordRequest::of(vec!["node".into(), path.display().to_string()]);
    request.run_folder = Some(folder.path().join("run"));
    request.output = Output::Nothing;
    arrange(&mut request);
    record(&request, folder.path()).unwrap();
    let session = open(&folder.path().join("run"));
    (folder, session)
}

fn open(run: &Path) -> Session {
    Session::open(&RunChoice(Some(run.display().to_string())), run).unwrap()
}

fn questions() -> Vec<Question> {
    let place = |place: &str| Some(place.to_owned());
    let at = |kind, point: &str| Question::at(kind, point.parse().ok());
    vec![
        at(QuestionKind::LastChange { place: place("cart.total") }, "shop.js:9"),
        at(QuestionKind::LastChange { place: place("cart.expensive") }, "end"),
        at(QuestionKind::History { place: place("cart.total"), page: PageRequest::default() }, "end"),
        at(QuestionKind::LastCondition, "shop.js:5#5"),
        at(QuestionKind::Eval { expression: place("cart.lines.length + i") }, "shop.js:4#3"),
        at(QuestionKind::State(StateRequest { depth: 2, ..StateRequest::default() }), "shop.js:4#2"),
        Question::of(QuestionKind::Why(WhyRequest::default())),
        Question::of(QuestionKind::Find(FindRequest {
            kind: place("call"),
            page: PageRequest::first(20),
            ..FindRequest::default()
        })),
        Question::of(QuestionKind::Calls(CallsRequest {
            function: None,
            file: None,
            of_point: false,
            own: false,
            depth: 3,
            page: PageRequest::first(50),
        })),
        at(QuestionKind::Omissions { place: place("wanted"), request: Default::default() }, "crash"),
    ]
}

fn question_of_sum() -> Question {
    let kind = QuestionKind::History { place: Some("sum".into()), page: PageRequest::default() };
    Question::at(kind, "end".parse().ok())
}

fn asked(session: &Session, question: &Question) -> String {
    format!("{:?}", session.ask(question, &Control::default()).map_err(|error| error.to_string()))
}

#[test]
fn many_threads_are_answered_as_one_would_be() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let questions = questions();
    // Points have their numbers then, whoever asks first.
    let alone: Vec<String> = questions.iter().map(|question| asked(&session, question)).collect();
    let mut waits = Vec::new();
    for _ in 0..3 {
        let fresh = open(session.folder());
        longest_wait();
        std::thread::scope(|scope| {
            for first in 0..8 {
                let (fresh, questions, alone) = (fresh.clone(), &questions, &alone);
                scope.spawn(move || {
                    for at in (0..questions.len()).map(|at| (at + first) % questions.len()) {
                        assert_eq!(asked(&fresh, &questions[at]), alone[at]);
                    }
                });
            }
        });
        waits.push(longest_wait());
    }
    // Whoever holds a lock may be kept from going on by something else that the machine does, but not each time.
    assert!(waits.iter().any(|wait| *wait < Duration::from_millis(100)), "waiting for locks took {waits:?}");
}

#[test]
fn two_that_write_points_at_once_lose_none() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let points = |session: &Session| -> Vec<(Option<u32>, u64)> {
        let request = FindRequest { page: PageRequest::default(), ..FindRequest::default() };
        match session.ask(&Question::of(QuestionKind::Find(request)), &Control::default()).unwrap().answer {
            Answer::Find(found) => found.items.iter().map(|found| (found.point.number, found.point.event)).collect(),
            other => panic!("{other:?}"),
        }
    };
    // Each has its own register, as two processes would.
    let (one, other) = (open(session.folder()), open(session.folder()));
    let (of_one, of_other) = std::thread::scope(|scope| {
        let asking = scope.spawn(|| points(&one));
        (points(&other), asking.join().unwrap())
    });
    assert_eq!(of_one, of_other);
    for (number, event) in of_one {
        let at = Question::at(QuestionKind::Here, format!("P{}", number.unwrap()).parse().ok());
        let Answer::Here(point) = open(session.folder()).ask(&at, &Control::default()).unwrap().answer else {
            panic!()
        };
        assert_eq!(point.event, event);
    }
}

#[test]
fn an_open_dialogue_keeps_nobody_waiting() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let begin = || Judge::begin(&session, &JudgeRequest::default(), &mut |_, _| ()).unwrap();
    let (mut one, mut other) = (begin(), begin());
    one.next_question().unwrap();
    other.next_question().unwrap();
    let elsewhere = open(session.folder());
    let (told, answers) = mpsc::channel();
    std::thread::spawn(move || told.send(asked(&elsewhere, &questions()[0])));
    assert!(answers.recv_timeout(Duration::from_secs(20)).is_ok(), "it waits for the judge");
}

#[test]
fn what_one_question_lacks_is_no_matter_of_the_next() {
    let (_folder, session) =
        recorded(SHOP, |request| request.policy = debugger::policy(&["properties=total".into()]).unwrap());
    let [total, expensive, ..] = &questions()[..] else { unreachable!() };
    let ask = |question| session.ask(question, &Control::default());
    let before = ask(total).map(|reply| format!("{:?}", reply.answer)).map_err(|error| error.to_string());
    let lacking = ask(expensive);
    assert!(matches!(lacking, Err(Error::NotRecorded { .. })), "{lacking:?}");
    let after = ask(total).map(|reply| format!("{:?}", reply.answer)).map_err(|error| error.to_string());
    assert_eq!(after, before);
}

/// The question says how far it is, and is kept there until it is cancelled: so it cannot be done before.
#[test]
fn a_cancelled_question_ends_soon_and_others_go_on() {
    let program = "let sum = 0;\nfor (let i = 0; i < 300000; i++) { const o = { i }; sum += o.i; }\nthrow sum;\n";
    let (_folder, recorded) = recorded(program, |_| ());
    let question = question_of_sum();
    let cancel = Cancel::default();
    let mut times = Vec::new();
    for _ in 0..5 {
        // Nothing of its index is known yet.
        fs::read_dir(recorded.folder()).unwrap().flatten().for_each(|entry| {
            if entry.path().extension().is_some_and(|extension| extension == "index" || extension == "details") {
                fs::remove_file(entry.path()).unwrap();
            }
        });
        let session = open(recorded.folder());
        let (cancel, (began, begun)) = (Cancel::default(), mpsc::channel());
        let held = cancel.clone();
        let mut control = Control::with_progress(move |_| {
            let _ = began.send(());
            while !held.is_cancelled() {
                std::thread::yield_now();
            }
        });
        control.cancel = cancel.clone();
        let asking = std::thread::spawn(move || {
            let answer = session.ask(&question_of_sum(), &control).map(|_| ());
            (answer, Instant::now())
        });
        begun.recv_timeout(Duration::from_secs(20)).expect("it says how far it is");
        let since = Instant::now();
        cancel.cancel();
        let (answer, ended) = asking.join().unwrap();
        assert_eq!(answer, Err(Error::Cancelled));
        times.push(ended - since);
    }
    // The machine may be busy with something else now and then.
    assert!(times.iter().any(|time| *time < Duration::from_millis(50)), "{times:?}");
    let session = open(recorded.folder());
    cancel.cancel();
    let cancelled = Control { cancel, progress: None };
    let refused = session.ask(&question, &cancelled).unwrap_err();
    assert_eq!(refused.id(), "cancelled");
    let limited = QuestionKind::History { place: Some("sum".into()), page: PageRequest::first(2) };
    let answer = session.ask(&Question::at(limited, "end".parse().ok()), &Control::default()).unwrap().answer;
    assert!(matches!(answer, Answer::History(history) if history.changes.items.len() == 2));
}

#[test]
fn an_overview_has_what_was_asked_for_and_nothing_else() {
    let program = "function f(i) { return i % 3; }\nlet sum = 0;\nfor (let i = 0; i < 100000; i++) sum += f(i);\n";
    let (_folder, session) = recorded(program, |_| ());
    let overview = |events, n_parts| {
        let kind = QuestionKind::Overview(OverviewRequest { events, n_parts, own: false });
        match session.ask(&Question::of(kind), &Control::default()).unwrap().answer {
            Answer::Overview(overview) => overview.parts,
            other => panic!("{other:?}"),
        }
    };
    let n_calls = |parts: &[PartShown]| parts.iter().map(|part| part.n_calls).sum::<u64>();
    let whole = overview(None, 5);
    // Those of the function, and the file itself.
    assert_eq!(n_calls(&whole), 100_001);
    let end = whole.last().unwrap().events.1;
    let halves = [overview(Some((0, end / 2 + 7)), 9), overview(Some((end / 2 + 7, end)), 200)];
    for (parts, (from, to)) in halves.iter().zip([(0, end / 2 + 7), (end / 2 + 7, end)]) {
        assert_eq!((parts[0].events.0, parts.last().unwrap().events.1), (from, to));
        assert!(parts.windows(2).all(|two| two[0].events.1 == two[1].events.0));
    }
    assert_eq!(n_calls(&halves[0]) + n_calls(&halves[1]), 100_001);
}

#[test]
fn a_run_that_is_deleted_while_it_is_asked() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let answer =
        |question: &Question| session.ask(question, &Control::default()).map(|reply| format!("{:?}", reply.answer));
    let before: Vec<_> = questions().iter().map(|question| answer(question).ok()).collect();
    fs::remove_dir_all(session.folder()).unwrap();
    for (question, before) in questions().iter().zip(before) {
        // What was read already is answered as it was; for the rest there is a sentence, and no panic.
        if let Ok(after) = answer(question) {
            assert_eq!(Some(after), before);
        }
    }
    assert_eq!(session.refreshed().err().map(|error| error.id()), Some("no-such-run"));
}

#[test]
fn another_run_of_the_same_number_is_not_taken_for_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let runs = OpenRuns::new(folder.path().into(), None, Box::new(|_| ()));
    let told = |program: &str| {
        fs::write(folder.path().join("app.js"), program).unwrap();
        let request =
            RecordRequest { output: Output::Nothing, ..RecordRequest::of(vec!["node".into(), "app.js".into()]) };
        record(&request, folder.path()).unwrap();
        let question = QuestionKind::Eval { expression: Some("a".into()) };
        let asked = runs.latest().unwrap().ask(&Question::of(question), &Control::default());
        match asked.unwrap().answer {
            Answer::Eval(value) => value.text,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(told("const a = 1;\n"), "1");
    fs::remove_dir_all(folder.path().join(".wherefore")).unwrap();
    assert_eq!(told("const a = 2;\n"), "2");
}

#[test]
fn a_run_of_a_newer_version() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let file = session.folder().join("run.txt");
    let text = fs::read_to_string(&file).unwrap();
    let newer: String = text
        .lines()
        .map(|line| if line.starts_with("format") { "format\t99\n".into() } else { format!("{line}\n") })
        .collect();
    fs::write(&file, newer).unwrap();
    let error = session.refreshed().err().unwrap();
    assert_eq!(error.id(), "other-format", "{error}");
}

#[test]
fn a_code_record_whose_source_is_missing() {
    let (_folder, session) = recorded(SHOP, |_| ());
    let without = |ending: &str| {
        for entry in fs::read_dir(session.folder().join("code")).unwrap().flatten() {
            if entry.path().to_string_lossy().ends_with(ending) {
                fs::remove_file(entry.path()).unwrap();
            }
        }
        let fresh = open(session.folder());
        let asked = questions().into_iter().map(move |question| fresh.ask(&question, &Control::default()));
        asked.collect::<Vec<_>>()
    };
    let id = |asked: &Result<Reply, Error>| asked.as_ref().err().map_or("answered", Error::id);
    for ending in [".src", ".sites"] {
        let asked = without(ending);
        let ids: Vec<_> = asked.iter().map(id).collect();
        // What is asked from a line, or of a name, has no answer without the code; what is answered says what it lacks.
        assert_eq!(ids[0], "code-missing", "{ending}: {ids:?}");
        if ending == ".sites" {
            assert!(!ids[..6].contains(&"answered"), "{ids:?}");
        }
        let shows_code = |reply: &Reply| format!("{:?}", reply.answer).contains("shop.js");
        let told: Vec<Reply> = asked.into_iter().flatten().filter(shows_code).collect();
        // Which code an event is of is known by the site tables.
        assert_eq!(told.is_empty(), ending == ".sites", "{ids:?}");
        for reply in told {
            assert!(reply.notes.iter().any(|note| note.contains("no longer holds the code of")), "{ending}: {reply:?}");
        }
    }
}

#[test]
fn sessions_may_be_shared() {
    fn is_shared<T: Send + Sync + Clone + 'static>() {}
    is_shared::<Session>();
    is_shared::<Control>();
}
