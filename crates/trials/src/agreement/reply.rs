//! An answer as far as two runs must agree about it.

use debugger::{Answer, ChangeAnswer, ConditionAnswer, Control, Error, HistoryAnswer, Point, Session, Value};
use spec_test::without_numbers;

use super::question::{Asks, Question};

#[derive(Clone, Debug)]
pub struct Reply {
    /// What has to be the same.
    pub facts: Vec<String>,
    /// The numbers of the points, in this run.
    pub points: Vec<Option<u32>>,
}

/// Asks a run, in which the points of earlier answers have these numbers.
pub fn ask(session: &Session, question: &Question, told: &[Vec<Option<u32>>]) -> Result<Reply, Error> {
    let asked = question.asked(told).map_err(Error::Usage)?;
    Reply::to(question, session.ask(&asked, &Control::default()))
}

/// So many changes of a history are compared.
pub const MOST_CHANGES: usize = 20;

impl Reply {
    /// What an answer says. A refusal of a question that a specification asks is one of its answers.
    pub fn to(question: &Question, reply: Result<debugger::Reply, Error>) -> Result<Reply, Error> {
        // How far a run got that did not come to the point is its own affair.
        let answer = reply.map(|reply| reply.answer).map_err(|error| match error {
            Error::NotReached { error, .. } => *error,
            error => error,
        });
        if let Asks::Written { .. } = &question.asks {
            let told = spec_test::reply(answer);
            let facts = told.lines.iter().map(|line| without_numbers(line)).collect();
            return Ok(Reply { facts, points: told.numbers() });
        }
        Ok(match answer? {
            Answer::LastChange(answer) => Reply::change(&answer),
            Answer::LastCondition(answer) => Reply::condition(&answer),
            Answer::History(answer) => Reply::history(&answer),
            Answer::Eval(answer) => Reply::of(vec![value(&answer)], &[]),
            other => Reply::of(vec![format!("nobody compares {other:?}")], &[]),
        })
    }

    fn of(facts: Vec<String>, points: &[Option<&Point>]) -> Reply {
        Reply { facts, points: points.iter().map(|point| point.and_then(|point| point.number)).collect() }
    }

    /// Why there is no answer.
    pub fn refusal(error: &Error) -> Reply {
        Reply::of(vec![format!("refused: {}", without_numbers(&error.to_string()))], &[])
    }

    fn change(answer: &ChangeAnswer) -> Reply {
        let mut facts = vec![answer.kind.name().to_owned()];
        facts.extend(answer.point.as_ref().map(place));
        facts.extend(answer.old.as_ref().map(|old| format!("old {}", value(old))));
        facts.extend(answer.new.as_ref().map(|new| format!("new {}", value(new))));
        facts.extend(answer.inherited_from.as_ref().map(|from| format!("inherited from {}", value(from))));
        facts.extend(answer.reason.as_ref().map(|reason| without_event_numbers(&without_numbers(reason))));
        facts.extend(answer.sender.as_ref().map(|sender| format!("sent from {}", place(sender))));
        facts.extend(answer.writers.iter().map(|line| format!("written in {}:{}", line.file, line.line)));
        let points: Vec<Option<&Point>> = answer.point.iter().chain(&answer.sender).map(Some).collect();
        Reply::of(facts, &points)
    }

    fn condition(answer: &ConditionAnswer) -> Reply {
        let mut facts = vec![answer.kind.name().to_owned()];
        facts.extend(answer.point.as_ref().map(place));
        facts.extend(answer.condition.clone());
        facts.extend(answer.value.as_ref().map(value));
        facts.extend(answer.reads.iter().map(|read| format!("{} = {}", read.text, value(&read.value))));
        facts.extend(answer.other.as_ref().map(|other| format!("other {}", place(other))));
        Reply::of(facts, &[answer.point.as_ref(), answer.other.as_ref()])
    }

    fn history(answer: &HistoryAnswer) -> Reply {
        let shown = |side: &Option<Value>| side.as_ref().map_or("nothing".into(), value);
        let change = |change: &debugger::HistoryChange| {
            format!("{}: {} → {}", place(&change.point), shown(&change.old), shown(&change.new))
        };
        let mut facts: Vec<String> = answer.changes.items.iter().map(change).collect();
        facts.push(if answer.changes.next.is_some() { "older ones".into() } else { "that is all".into() });
        let points: Vec<Option<&Point>> = answer.changes.items.iter().map(|change| Some(&change.point)).collect();
        Reply::of(facts, &points)
    }
}

/// `app.js:22:7 in total, hit 2 of 3`
fn place(point: &Point) -> String {
    let number = |number: Option<u32>| number.map_or("?".into(), |number| number.to_string());
    let hits = |hits: Option<u64>| hits.map_or("?".into(), |hits| hits.to_string());
    format!(
        "{}:{}:{} in {}, hit {} of {}",
        point.file.as_deref().unwrap_or("?"),
        number(point.line),
        number(point.column),
        point.function.as_deref().unwrap_or("the file"),
        hits(point.hit),
        hits(point.n_hits),
    )
}

fn value(value: &Value) -> String {
    match value.object {
        Some(_) => value.kind.name().to_owned(),
        None => format!("{} {}", value.kind.name(), value.text),
    }
}

/// `between @12 and @40` becomes `between @ and @`.
fn without_event_numbers(text: &str) -> String {
    let mut parts = text.split('@');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "@" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}
