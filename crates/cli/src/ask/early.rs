//! The answer while the command goes on: a test runner that watches files does not end by itself.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use answer_json::document;
use debugger::{Control, OnTestsOver, Question, RunChoice, Session};

use super::asking::{AnswerFormat, print_answer};
use super::shown;
use crate::tell;

/// Whether the answer was printed before the command ended.
#[derive(Clone, Default)]
pub struct Early(Arc<AtomicBool>);

impl Early {
    pub fn was_given(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// What is done as soon as the tests are over.
    pub fn answering(&self, question: &Question, format: AnswerFormat) -> OnTestsOver {
        let (early, question) = (self.clone(), question.clone());
        OnTestsOver(Arc::new(move |run| {
            if is_answered(run, &question, format) {
                early.0.store(true, Ordering::Release);
                tell::note("the tests are over, and the command goes on; Ctrl-C ends it");
            }
        }))
    }
}

/// What cannot be answered yet is left for the end of the command.
fn is_answered(run: &Path, question: &Question, format: AnswerFormat) -> bool {
    let Ok(session) = Session::open(&RunChoice(Some(run.display().to_string())), run) else { return false };
    match session.ask(question, &Control::default()) {
        Ok(reply) => print_answer(&shown(&reply.answer).page, &document(question, &reply), format).is_ok(),
        Err(error) if error.is_answer() => {
            tell::note(error);
            true
        }
        Err(_) => false,
    }
}
