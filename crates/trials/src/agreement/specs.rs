//! The specifications as programs with questions.

use std::io;
use std::path::Path;

use debugger::{PageRequest, QuestionKind};
use spec_test::{Spec, documents, folder, write_files};

use super::compare::Program;
use super::question::{AnswerOf, Asks, At, Question};
use super::reply::MOST_CHANGES;

/// All specifications by name: `last-change/variables: A loop overwrites the value`.
pub fn names() -> Result<Vec<String>, String> {
    Ok(all()?.into_iter().map(|(name, _)| name).collect())
}

/// One of them, with its files put into an empty folder, which the program runs in.
pub fn program(name: &str, into: &Path) -> Result<(Program, Vec<Question>), String> {
    let found = all()?.into_iter().find(|(other, _)| other == name);
    let (_, spec) = found.ok_or_else(|| format!("there is no specification {name:?}"))?;
    write_files(&spec, into).map_err(|error: io::Error| error.to_string())?;
    let questions = spec.exchanges.iter().flat_map(|exchange| &exchange.questions);
    let questions = questions.map(|question| asked(&spec, question)).collect::<Result<Vec<_>, _>>()?;
    Ok((Program { command: spec.command.clone() }, questions))
}

fn all() -> Result<Vec<(String, Spec)>, String> {
    let documents = documents(&folder())?.into_iter();
    let named = documents.flat_map(|document| {
        let name = document.name;
        document.specs.into_iter().map(move |spec| (format!("{name}: {}", spec.heading), spec))
    });
    Ok(named.collect())
}

fn asked(spec: &Spec, question: &spec_test::Question) -> Result<Question, String> {
    let subject = question.subject.clone();
    let asks = match question.kind.as_str() {
        "last-change" => Asks::Of(Box::new(QuestionKind::LastChange { place: subject })),
        "last-condition" => Asks::Of(Box::new(QuestionKind::LastCondition)),
        "history" => {
            Asks::Of(Box::new(QuestionKind::History { place: subject, page: PageRequest::first(MOST_CHANGES) }))
        }
        "eval" => Asks::Of(Box::new(QuestionKind::Eval { expression: subject })),
        _ => Asks::Written { question: question.clone(), main: spec.main().to_owned() },
    };
    let at = match question.point.as_deref() {
        None => At::Usual,
        Some(point) => match spec_test::answer_point(point).filter(|(answer, _)| *answer < question.number) {
            Some((answer, point)) => At::Answer { question: answer - 1, point: point - 1, of: AnswerOf::Rerun },
            None => At::Text(point.parse()?),
        },
    };
    Ok(Question { asks, at, when: None })
}
