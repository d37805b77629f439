//! Where control stands: a moment for each thread of the run, which only the client moves.

use std::collections::{HashMap, HashSet};

use debugger::{Answer, Control, Error, Point, PointText, Question, QuestionKind, Reply, Session, Where};

use crate::refusal::Refusal;

/// A run that is looked at.
pub struct OpenRun {
    /// Points of its answers have numbers, by which they can be asked about in a terminal, too.
    pub session: Session,
    /// For what is only looked at.
    pub looking: Session,
    moments: HashMap<usize, PointText>,
    /// Threads that stand where something is thrown.
    at_throw: HashSet<usize>,
    /// The thread that moved last.
    pub thread: usize,
    /// The points of the explanation that was given last.
    pub chain: Vec<(Point, String)>,
}

impl OpenRun {
    /// At the failure, or else at the end.
    pub fn new(session: Session, control: &Control) -> Result<OpenRun, Refusal> {
        let looking = session.looking();
        let mut open = OpenRun {
            session,
            looking,
            moments: HashMap::new(),
            at_throw: HashSet::new(),
            thread: 1,
            chain: Vec::new(),
        };
        match open.ask(&Question::at(QuestionKind::Here, Some(PointText::Crash)), control) {
            Ok(Reply { answer: Answer::Here(point), .. }) => {
                open.thread = point.thread;
                open.moments.insert(point.thread, PointText::Crash);
            }
            Err(refusal) if refusal.id == "cancelled" => return Err(refusal),
            // It did not fail, or before anything of it was recorded.
            _ => {
                open.moments.insert(1, PointText::End);
            }
        }
        Ok(open)
    }

    /// The same run as it is now, for one that is still being recorded. Control stands where it stood.
    pub fn refresh(&mut self) -> Result<(), Refusal> {
        self.still_there()?;
        self.session = self.session.refreshed()?;
        self.looking = self.session.looking();
        Ok(())
    }

    /// To the newest event of each thread. The end of a run that grows would not stay where it is.
    pub fn go_to_newest(&mut self, control: &Control) {
        for thread in 1..=self.n_threads() {
            let from = Where { at: Some(PointText::End), thread: Some(thread.to_string()), ..Where::default() };
            if let Ok(Reply { answer: Answer::Here(point), .. }) =
                self.ask(&Question { kind: QuestionKind::Here, from }, control)
            {
                self.moments.insert(thread, PointText::Event(point.event));
            }
        }
    }

    pub fn ask(&self, question: &Question, control: &Control) -> Result<Reply, Refusal> {
        self.still_there()?;
        Ok(self.looking.ask(question, control)?)
    }

    /// The same, with numbers for the points of the answer.
    pub fn ask_numbered(&self, question: &Question, control: &Control) -> Result<Reply, Refusal> {
        self.still_there()?;
        Ok(self.session.ask(question, control)?)
    }

    pub fn still_there(&self) -> Result<(), Refusal> {
        match self.session.is_there() {
            true => Ok(()),
            false => {
                let run = self.session.folder().file_name().unwrap_or_default().to_string_lossy().into_owned();
                Err(Error::NoSuchRun { why: format!("run {run} was removed while it was open here") }.into())
            }
        }
    }

    /// The moment of a thread, as questions name it.
    pub fn place(&self, thread: usize) -> Where {
        Where { at: Some(self.moment(thread)), thread: Some(thread.to_string()), ..Where::default() }
    }

    pub fn moment(&self, thread: usize) -> PointText {
        self.moments.get(&thread).cloned().unwrap_or(PointText::End)
    }

    pub fn is_at_failure(&self, thread: usize) -> bool {
        self.moment(thread) == PointText::Crash
    }

    pub fn go(&mut self, thread: usize, to: PointText) {
        self.thread = thread;
        self.at_throw.remove(&thread);
        self.moments.insert(thread, to);
    }

    pub fn is_at_throw(&self, thread: usize) -> bool {
        self.at_throw.contains(&thread)
    }

    /// What made the thread stop where it stands.
    pub fn stopped_by_throw(&mut self, thread: usize) {
        self.at_throw.insert(thread);
    }

    pub fn n_threads(&self) -> usize {
        self.session.n_threads()
    }
}
