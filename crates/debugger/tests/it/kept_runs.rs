//! Runs that are kept in the repository are read by every build of their format, and answered as they were.

use std::fs;
use std::path::Path;

use debugger::{Answer, Control, Question, QuestionKind, RunChoice, Session, StateRequest, WhyRequest};
use expect_test::expect;

#[test]
fn a_run_of_javascript() {
    let expected = expect![[r#"
        Error: the receipt says 41.40: failure shop.js:17, write shop.js:16, write cart.js:14, write offers.js:7, write offers.js:6, birth shop.js:14, birth cart.js:9, write cart.js:8, argument shop.js:13, write cart.js:4
        cart.lines[1].price: 4 → 3.6 at Some("offers.js:7")
        Condition Some("the loop over cart.lines continued with line = #31 {sku: \"pen\", price: 4, count: 4}")
        14
        Some("total") < None
    "#]];
    let place = |place: &str| Some(place.to_owned());
    let asked = [
        Question::of(QuestionKind::Why(WhyRequest::default())),
        Question::at(QuestionKind::LastChange { place: place("cart.lines[1].price") }, "shop.js:16".parse().ok()),
        Question::at(QuestionKind::LastCondition, "offers.js:7#2".parse().ok()),
        Question::at(QuestionKind::Eval { expression: place("percent + line.count") }, "offers.js:7#2".parse().ok()),
        Question::at(QuestionKind::State(StateRequest::default()), "cart.js:14".parse().ok()),
    ];
    expected.assert_eq(&answers("shop", &asked));
}

/// Its project has old decorators, and fields that are only types: a run keeps that.
#[test]
fn typescript_is_read_as_it_was_compiled() {
    let expected = expect![[r#"
        Error: the total is 30: failure app.ts:22, write app.ts:15, argument app.ts:21, write app.ts:19, write app.ts:7, return app.ts:7, write app.ts:9
        account.total: 40 → 30 at Some("app.ts:15")
        Condition Some("amount > 1 was true (amount = 5)")
    "#]];
    let asked = [
        Question::of(QuestionKind::Why(WhyRequest::default())),
        Question::at(QuestionKind::LastChange { place: Some("account.total".into()) }, "app.ts:22".parse().ok()),
        Question::at(QuestionKind::LastCondition, "app.ts:15:21".parse().ok()),
    ];
    expected.assert_eq(&answers("typescript", &asked));
}

fn answers(run: &str, asked: &[Question]) -> String {
    let copy = tempfile::tempdir().unwrap();
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs").join(run), copy.path());
    let session = Session::open(&RunChoice(Some(copy.path().display().to_string())), copy.path()).unwrap();
    asked.iter().map(|question| told(&session, question) + "\n").collect()
}

fn told(session: &Session, question: &Question) -> String {
    let place =
        |point: &debugger::Point| format!("{}:{}", point.file.as_deref().unwrap_or("?"), point.line.unwrap_or(0));
    match session.ask(question, &Control::default()).unwrap().answer {
        Answer::Why(chain) => {
            let hops: Vec<String> =
                chain.hops.iter().map(|hop| format!("{} {}", hop.kind, place(&hop.point))).collect();
            format!("{}: {}", chain.failure.message, hops.join(", "))
        }
        Answer::LastChange(change) => {
            let value = |value: Option<debugger::Value>| value.map_or("nothing".into(), |value| value.text);
            let at = change.point.as_ref().map(place);
            format!("{}: {} → {} at {at:?}", change.place, value(change.old), value(change.new))
        }
        Answer::LastCondition(answer) => format!("{:?} {:?}", answer.kind, answer.text),
        Answer::Eval(value) => value.text,
        Answer::State(state) => {
            let named = state.frames.iter().map(|frame| format!("{:?}", frame.function));
            named.collect::<Vec<_>>().join(" < ")
        }
        other => format!("{other:?}"),
    }
}

/// Asking writes to a run.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        match entry.path().is_dir() {
            true => copy_folder(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}
