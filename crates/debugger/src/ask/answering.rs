//! From a question to its answer.

use query::Missing;
use trace_model::cancel;

use super::{Moment, Session};
use crate::Error;
use crate::control::{Control, Progress};
use crate::event_line::relative;
use crate::question::{Answer, Question, QuestionKind, Reply, Where};
use crate::rerun::told;

impl Session {
    /// Answers a question. Any number of threads may ask at once; one that cancels gets [`Error::Cancelled`] soon.
    pub fn ask(&self, question: &Question, control: &Control) -> Result<Reply, Error> {
        let (answer, missing) = self.answer_as_far_as_recorded(question, control);
        match missing.is_empty() || matches!(answer, Err(Error::Cancelled)) {
            true => answer,
            false => {
                Err(Error::NotRecorded { what: told(&missing, self.run()), command: self.run().file().command.clone() })
            }
        }
    }

    /// The same, with what the answer lacks because the run did not record it: then it is none.
    pub(crate) fn answer_as_far_as_recorded(
        &self,
        question: &Question,
        control: &Control,
    ) -> (Result<Reply, Error>, Missing) {
        let session = self.afresh();
        let answered = cancel::under(&control.cancel.0, || {
            session.prepare(&|done, all| control.tell(Progress::Indexing { done, all }));
            session.answer(question).map_err(|error| session.for_want_of_code(error))
        });
        // A path with holes is an answer, and says itself what it lacks.
        let missing = match question.kind {
            QuestionKind::CrashPath(_) => Missing::default(),
            _ => session.missing(),
        };
        (answered.unwrap_or(Err(Error::Cancelled)), missing)
    }

    /// What was not found may be in a file whose code the run no longer holds.
    fn for_want_of_code(&self, error: Error) -> Error {
        if !error.is_about_code() {
            return error;
        }
        let units = self.run().threads().iter().flat_map(|thread| thread.code().units());
        let missing = units.into_iter().find_map(|unit| Some((unit, unit.unreadable()?.to_owned())));
        match missing {
            Some((unit, why)) => {
                let file = relative(&unit.record.path, &self.run().file().folder).to_owned();
                Error::CodeMissing { error: Box::new(error), file, why }
            }
            None => error,
        }
    }

    fn answer(&self, question: &Question) -> Result<Reply, Error> {
        let Question { kind, from } = question;
        match kind {
            QuestionKind::Why(request) => {
                let (moment, chain) = self.why(from, request)?;
                Ok(Reply { answer: Answer::Why(chain), notes: moment.notes() })
            }
            QuestionKind::CrashPath(request) => {
                let (moment, answer) = self.crash_path(from, request)?;
                Ok(Reply { answer: Answer::CrashPath(answer), notes: moment.notes() })
            }
            QuestionKind::Failures(page) => {
                let failures = self.failures(from.thread.as_deref(), page)?;
                Ok(Reply { answer: Answer::Failures(failures), notes: Vec::new() })
            }
            QuestionKind::Find(request) => {
                let (answer, notes) = self.find(from, request)?;
                Ok(Reply { answer: Answer::Find(answer), notes })
            }
            QuestionKind::Calls(request) => {
                let (answer, notes) = self.calls(from, request)?;
                Ok(Reply { answer: Answer::Calls(answer), notes })
            }
            QuestionKind::Search(request) => {
                let (answer, notes) = self.search(from, request)?;
                Ok(Reply { answer: Answer::Search(answer), notes })
            }
            QuestionKind::Seek(request) => {
                let (answer, notes) = self.seek(from, request)?;
                Ok(Reply { answer: Answer::Seek(answer), notes })
            }
            QuestionKind::Stop(request) => {
                let (answer, notes) = self.stop(from, request)?;
                Ok(Reply { answer: Answer::Stop(answer), notes })
            }
            QuestionKind::Hits { of, values, page } => {
                let (hits, notes) = self.hits(from, of, values, page)?;
                Ok(Reply { answer: Answer::Hits(hits), notes })
            }
            QuestionKind::Log(request) => {
                let (answer, notes) = self.log(from, request)?;
                Ok(Reply { answer: Answer::Log(answer), notes })
            }
            QuestionKind::Threads(page) => {
                Ok(Reply { answer: Answer::Threads(self.shown_threads(page)?), notes: Vec::new() })
            }
            QuestionKind::Sources(page) => {
                Ok(Reply { answer: Answer::Sources(self.sources(from, page)?), notes: Vec::new() })
            }
            QuestionKind::Source { file, counts } => {
                Ok(Reply { answer: Answer::Source(self.source(from, file, *counts)?), notes: Vec::new() })
            }
            QuestionKind::Scopes { frame } => {
                let (scopes, notes) = self.scopes(from, frame.as_ref())?;
                Ok(Reply { answer: Answer::Scopes(scopes), notes })
            }
            QuestionKind::Children { of, page } => {
                let (children, notes) = self.children(of, page)?;
                Ok(Reply { answer: Answer::Children(children), notes })
            }
            QuestionKind::Tasks(page) => {
                let (tasks, notes) = self.tasks(from, page)?;
                Ok(Reply { answer: Answer::Tasks(tasks), notes })
            }
            kind => {
                let moment = self.moment(from)?;
                let answer = moment.answer(kind)?;
                Ok(Reply { answer, notes: moment.notes() })
            }
        }
    }

    pub(crate) fn moment(&self, from: &Where) -> Result<Moment<'_>, Error> {
        match &from.frame {
            Some(frame) => self.moment_of_frame(frame),
            None => self.moment_when(from.at.as_ref(), from.when.as_deref(), from.thread.as_deref()),
        }
    }
}

impl Moment<'_> {
    /// What is asked of one moment.
    pub(super) fn answer(&self, kind: &QuestionKind) -> Result<Answer, Error> {
        Ok(match kind {
            QuestionKind::LastChange { place } => Answer::LastChange(self.last_change(place.as_deref())?),
            QuestionKind::Birth { place } => Answer::Birth(self.birth(place.as_deref())?),
            QuestionKind::LastCondition => Answer::LastCondition(self.last_condition()),
            QuestionKind::History { place, page } => Answer::History(self.history(place.as_deref(), page)?),
            QuestionKind::Eval { expression } => Answer::Eval(self.eval(expression.as_deref())?),
            QuestionKind::State(request) => Answer::State(self.state(request)?),
            QuestionKind::Inspect { place, request } => Answer::Inspect(self.inspect(place, request)?),
            QuestionKind::Omissions { place, request } => Answer::Omissions(self.omissions(place.as_deref(), request)?),
            QuestionKind::WhyNot { file, line, request } => Answer::WhyNot(self.why_not(file, *line, request)?),
            QuestionKind::EventsOfCall { filter, page } => Answer::EventsOfCall(self.events_of_call(filter, page)?),
            QuestionKind::Here => Answer::Here(self.here()),
            QuestionKind::Step(request) => Answer::Step(self.step_away(request)),
            QuestionKind::Overview(request) => Answer::Overview(self.overview(request)),
            QuestionKind::Stack(page) => Answer::Stack(self.stack_page(page)?),
            QuestionKind::Why(_)
            | QuestionKind::CrashPath(_)
            | QuestionKind::Failures(_)
            | QuestionKind::Find(_)
            | QuestionKind::Calls(_)
            | QuestionKind::Search(_)
            | QuestionKind::Seek(_)
            | QuestionKind::Stop(_)
            | QuestionKind::Hits { .. }
            | QuestionKind::Log(_)
            | QuestionKind::Scopes { .. }
            | QuestionKind::Children { .. }
            | QuestionKind::Tasks(_)
            | QuestionKind::Threads(_)
            | QuestionKind::Sources(_)
            | QuestionKind::Source { .. } => unreachable!("asked of the run"),
        })
    }
}
