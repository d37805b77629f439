//! What people and programs write to ask: points, expressions, conditions, whole questions.

use answer_json::{AskedJson, document, line};
use debugger::{
    CallsRequest, Control, FindRequest, Judge, JudgeRequest, LogRequest, OverviewRequest, PageRequest, PointText,
    Question, QuestionKind, SearchRequest, Session, StateRequest, Where, WhyRequest,
};

use crate::sample::session;

const MOST: usize = 20;

/// A point on the first line, and on the second a condition that chooses among the times of a line.
pub fn points(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (point, when) = text.split_once('\n').map_or((text, None), |(point, when)| (point, Some(when.to_owned())));
    let Ok(point) = point.parse::<PointText>() else { return };
    assert_eq!(point.to_string().parse::<PointText>().as_ref(), Ok(&point));
    let from = Where { at: Some(point), when, ..Where::default() };
    ask(session(), Question { kind: QuestionKind::Here, from: from.clone() });
    ask(session(), Question { kind: QuestionKind::State(StateRequest::default()), from });
}

/// A text, as everything that may be an expression: a value, a place, what is logged, what a value is compared with, a condition.
pub fn expressions(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let place = || Some(text.to_owned());
    let line = Where { at: Some(LINE.parse().expect("a point")), ..Where::default() };
    let page = || PageRequest::first(MOST);
    let of_line = [
        QuestionKind::Eval { expression: place() },
        QuestionKind::LastChange { place: place() },
        QuestionKind::History { place: place(), page: page() },
        QuestionKind::Log(LogRequest::of(text, page())),
        QuestionKind::Find(FindRequest { value: place(), page: page(), ..FindRequest::default() }),
    ];
    for kind in of_line {
        ask(session(), Question { kind, from: line.clone() });
    }
    let from = Where { when: place(), ..line };
    ask(session(), Question { kind: QuestionKind::Here, from });
}

/// A line of the recorded program that is executed several times.
const LINE: &str = "main.js:14";

/// A question, as programs send it.
pub fn questions(input: &[u8]) {
    let Ok(asked) = serde_json::from_slice::<AskedJson>(input) else { return };
    if let Ok(question) = Question::try_from(asked) {
        ask(session(), question);
    }
}

/// Asks a run of all that its files hold.
pub fn ask_all(session: &Session) {
    let page = || PageRequest::first(MOST);
    let kinds = [
        QuestionKind::Why(WhyRequest::default()),
        QuestionKind::Failures(page()),
        QuestionKind::LastCondition,
        QuestionKind::State(StateRequest { depth: 2, ..StateRequest::default() }),
        QuestionKind::Find(FindRequest { page: page(), ..FindRequest::default() }),
        QuestionKind::Search(SearchRequest { text: "a".into(), within: None, limit: MOST }),
        QuestionKind::Calls(CallsRequest {
            function: None,
            file: None,
            of_point: false,
            own: false,
            depth: 3,
            page: page(),
        }),
        QuestionKind::Threads(page()),
        QuestionKind::Sources(page()),
        QuestionKind::Overview(OverviewRequest { events: None, n_parts: 3, own: false }),
        QuestionKind::Stack(page()),
        QuestionKind::Tasks(page()),
    ];
    for kind in kinds {
        ask(session, Question::of(kind));
    }
    session.tests();
    // What was said of calls is a file of the run.
    if let Ok(mut judge) = Judge::begin(session, &JudgeRequest::default(), &mut |_, _| {}) {
        let _ = judge.next_question();
    }
}

/// An answer is written as programs get it, too.
fn ask(session: &Session, question: Question) {
    if let Ok(reply) = session.ask(&question, &Control::default()) {
        line(&document(&question, &reply));
    }
}
