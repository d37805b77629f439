//! Going straight to a moment: a time that a line was executed, or a point of an explanation that is on it.

use debugger::{Answer, BreakAt, Breakpoint, PageRequest, Point, PointText, QuestionKind, WhyRequest};
use serde_json::json;

use crate::adapter::{Adapter, Body};
use crate::protocol::{GotoArguments, GotoTarget, GotoTargetsArguments};
use crate::refusal::Refusal;

/// Moments that the client was offered: number n is the nth.
#[derive(Default)]
pub struct Targets(Vec<(usize, PointText)>);

impl Adapter {
    pub fn goto_targets(&mut self, asked: &GotoTargetsArguments) -> Body {
        let file = self.sources.file_of(&asked.source)?;
        let line = self.line_in(asked.line);
        let mut offered: Vec<GotoTarget> = Vec::new();
        for (point, words) in self.chain_on(&file, line) {
            offered.push(self.offer(&point, words));
        }
        let (times, n_all) = self.times_of(&file, line)?;
        for (number, point) in (1..).zip(times) {
            offered.push(self.offer(&point, format!("line {line}, time {number} of {n_all}")));
        }
        Ok(json!({"targets": offered}))
    }

    pub fn goto(&mut self, asked: &GotoArguments) -> Body {
        let target = usize::try_from(asked.target_id - 1).ok().and_then(|at| self.targets.0.get(at));
        let (thread, to) = target.cloned().ok_or_else(|| Refusal::new("there is no such target"))?;
        self.opened()?.still_there()?;
        self.jump(thread, to);
        Ok(json!({}))
    }

    fn offer(&mut self, point: &Point, label: String) -> GotoTarget {
        self.targets.0.push((point.thread, PointText::Event(point.event)));
        let line = self.line_out(point.line.unwrap_or(0));
        GotoTarget { id: self.targets.0.len() as i64, label, line }
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

    /// The first times that a line was executed, and how many there were.
    fn times_of(&self, file: &str, line: u32) -> Result<(Vec<Point>, u64), Refusal> {
        let open = self.opened()?;
        let at = BreakAt::Line { file: file.into(), line };
        let of = Breakpoint { at, condition: None, hits: None };
        let kind = QuestionKind::Hits { of, values: Vec::new(), page: PageRequest::first(MOST_TIMES) };
        match self.ask(kind, open.place(open.thread))?.answer {
            Answer::Hits(hits) => {
                let n_all = hits.n_all.unwrap_or(hits.items.len() as u64);
                Ok((hits.items.into_iter().map(|hit| hit.point).collect(), n_all))
            }
            _ => Err(Refusal::nothing_open()),
        }
    }
}

const MOST_TIMES: usize = 20;
