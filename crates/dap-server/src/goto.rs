//! Going straight to a moment: a time that a line was executed, or a point of an explanation that is on it.

use debugger::{Answer, Breakpoint, PageRequest, Point, PointText, QuestionKind, WhyRequest};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::breakpoints::on_line;
use crate::protocol::{GotoArguments, GotoTarget, GotoTargetsArguments};
use crate::refusal::Refusal;

/// Moments that the client was offered. As with what else is numbered, no number is used twice.
#[derive(Default)]
pub struct Targets {
    n_forgotten: usize,
    /// Each with its thread.
    offered: Vec<(usize, PointText)>,
}

impl Targets {
    /// They are moments of another run.
    pub fn forget(&mut self) {
        self.n_forgotten += self.offered.len();
        self.offered.clear();
    }

    fn add(&mut self, thread: usize, moment: PointText) -> i64 {
        self.offered.push((thread, moment));
        (self.n_forgotten + self.offered.len()) as i64
    }

    fn get(&self, number: i64) -> Option<&(usize, PointText)> {
        let index = usize::try_from(number).ok()?.checked_sub(self.n_forgotten + 1)?;
        self.offered.get(index)
    }
}

impl Adapter {
    pub fn goto_targets(&mut self, asked: &GotoTargetsArguments) -> Body {
        let file = self.sources.file_of(&asked.source)?;
        let line = self.line_in(asked.line);
        let mut offered: Vec<GotoTarget> = Vec::new();
        for (point, words) in self.chain_on(&file, line) {
            offered.push(self.offer(&point, words));
        }
        let n_threads = self.opened()?.n_threads();
        let mut refused = None;
        for thread in 1..=n_threads {
            let (times, n_all) = match self.times_of(&file, line, thread) {
                Ok(times) => times,
                // Another thread may have the file.
                Err(refusal) => {
                    refused = Some(refusal);
                    continue;
                }
            };
            let whose = if n_threads > 1 { format!(" in thread {thread}") } else { String::new() };
            for (number, point) in (1..).zip(times) {
                offered.push(self.offer(&point, format!("line {line}, time {number} of {n_all}{whose}")));
            }
        }
        match refused {
            Some(refusal) if offered.is_empty() => Err(refusal),
            _ => Ok(json!({"targets": offered})),
        }
    }

    pub fn goto(&mut self, asked: &GotoArguments) -> Body {
        let target = self.targets.get(asked.target_id);
        let (thread, to) = target.cloned().ok_or_else(|| Refusal::new("there is no such target"))?;
        self.opened()?.still_there()?;
        self.jump(thread, to);
        Ok(json!({}))
    }

    fn offer(&mut self, point: &Point, label: String) -> GotoTarget {
        let id = self.targets.add(point.thread, PointText::Event(point.event));
        GotoTarget { id, label, line: self.line_out(point.line.unwrap_or(0)) }
    }

    /// The points of the explanation that are on a line; of the failure, if nothing has been explained yet.
    fn chain_on(&mut self, file: &str, line: u32) -> Vec<(Point, String)> {
        if self.open.as_ref().is_some_and(|open| open.chain.is_empty()) {
            let why = QuestionKind::Why(WhyRequest::default());
            if let Ok(reply) = self.ask(why, debugger::Where::default()) {
                self.keep_chain(&reply.answer);
            }
        }
        let Some(open) = &self.open else { return Vec::new() };
        let is_on = |point: &Point| {
            let path = point.file.as_ref().map(|file| open.session.program_folder().join(file));
            point.line == Some(line) && path.is_some_and(|path| path.ends_with(file))
        };
        open.chain.iter().filter(|(point, _)| is_on(point)).cloned().collect()
    }

    pub fn keep_chain(&mut self, answer: &Answer) {
        let Answer::Why(chain) = answer else { return };
        if let Some(open) = &mut self.open {
            open.chain = chain.hops.iter().map(|hop| (hop.point.clone(), hop.words())).collect();
        }
    }

    /// The first times that a line was executed in a thread, and how many there were.
    fn times_of(&self, file: &str, line: u32, thread: usize) -> Result<(Vec<Point>, u64), Refusal> {
        let of = Breakpoint { at: on_line(file, line), condition: None, hits: None };
        let kind = QuestionKind::Hits { of, values: Vec::new(), page: PageRequest::first(MOST_TIMES) };
        match self.ask(kind, self.opened()?.place(thread))?.answer {
            Answer::Hits(hits) => {
                let n_all = hits.n_all.unwrap_or(hits.items.len() as u64);
                Ok((hits.items.into_iter().map(|hit| hit.point).collect(), n_all))
            }
            _ => Err(Refusal::nothing_open()),
        }
    }
}

const MOST_TIMES: usize = 20;
