//! Moving about in a run: from statement to statement, into calls, over them and out of them, forward and back.
//!
//! A place to stop is the first event of a statement that a function executes. What only belongs to the edges of a function (its
//! entry, its parameters) is none. Nothing between two places is read where the index
//! tells that it is inside of a call: a step over a call of any length costs what a look-up costs.

use trace_model::{EventId, FrameId, FunctionKind, SiteId, SiteKind};
use trace_store::{Step, Target};

use crate::Trace;

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Back,
}

/// How far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// To the next statement, also inside of what is called.
    Into,
    /// To the next statement of the same function, or of its caller.
    Over,
    /// To the caller: behind the call, or before it.
    Out,
}

impl Trace<'_> {
    /// Where a step from an event leads; `None` at the end of the thread. `before`: the moment itself, which may be behind the event,
    /// where a program failed without another one, or ended.
    pub fn step_from(&self, at: &Step, before: EventId, stride: Stride, direction: Direction) -> Option<Step> {
        if direction == Direction::Back && (before > at.id || at.frame.is_none()) {
            return self.step_back_to(at, before, stride);
        }
        match (stride, direction) {
            (Stride::Into, Direction::Forward) => self.next_statement(at),
            (Stride::Over, Direction::Forward) => match at.frame.and_then(|frame| self.next_in_frame(at, frame)) {
                Some(next) => Some(next),
                None => self.behind(at),
            },
            (Stride::Out, Direction::Forward) => self.behind(at),
            (Stride::Into, Direction::Back) => self.statement_before(at),
            (Stride::Over, Direction::Back) => match at.frame.and_then(|frame| self.last_in_frame(at, frame)) {
                Some(last) => Some(self.start_of_statement(last)),
                None => self.before_call(at),
            },
            (Stride::Out, Direction::Back) => self.before_call(at),
        }
    }

    /// Back from behind an event: to the statement that was executed last.
    fn step_back_to(&self, at: &Step, before: EventId, stride: Stride) -> Option<Step> {
        let of_frame = at.frame.filter(|_| stride != Stride::Into);
        let last = of_frame.and_then(|frame| self.last_stop(frame, before)).or_else(|| {
            self.rests_on_everything("what was executed last is asked for");
            self.thread.steps_before(before).find(|step| self.is_stop(step))
        })?;
        match stride {
            Stride::Out => self.before_call(&last),
            Stride::Into | Stride::Over => Some(self.start_of_statement(last)),
        }
    }

    /// The newest event of a frame before a moment at which control can be said to be somewhere.
    fn last_stop(&self, frame: FrameId, mut before: EventId) -> Option<Step> {
        loop {
            let last = self.last(&Target::InFrame(frame), before)?;
            if self.is_stop(&last) {
                return Some(last);
            }
            before = last.id;
        }
    }

    /// The next statement of the same frame.
    fn next_in_frame(&self, at: &Step, frame: FrameId) -> Option<Step> {
        let mut from = at.clone();
        loop {
            let next = self.next(&Target::InFrame(frame), EventId(from.id.0 + 1))?;
            if self.is_stop(&next) && self.begins_anew(&from, &next) {
                return Some(next);
            }
            // What is not of the source belongs to the statement that it is in.
            if next.site().is_some() {
                from = next;
            } else {
                from.id = next.id;
            }
        }
    }

    /// The newest event of the frame before the statement that an event is of.
    fn last_in_frame(&self, at: &Step, frame: FrameId) -> Option<Step> {
        self.last_stop(frame, self.start_of_statement(at.clone()).id)
    }

    /// The next statement of any function.
    fn next_statement(&self, at: &Step) -> Option<Step> {
        self.rests_on_everything("every event in between is asked for");
        let mut last = at.clone();
        for next in self.thread.steps_from(EventId(at.id.0 + 1)) {
            let is_other = next.frame != last.frame || self.begins_anew(&last, &next);
            if self.is_stop(&next) && is_other {
                return Some(next);
            }
            if next.site().is_some() && next.frame == last.frame {
                last = next;
            }
        }
        None
    }

    /// The statement before, of any function: its first event. Where the one before called something, that comes in between.
    fn statement_before(&self, at: &Step) -> Option<Step> {
        self.rests_on_everything("every event in between is asked for");
        let start = self.start_of_statement(at.clone());
        let mut found: Option<Step> = None;
        for step in self.thread.steps_before(start.id).filter(|step| self.is_stop(step)) {
            let Some(later) = found else {
                found = Some(step);
                continue;
            };
            match step.frame == later.frame {
                true if !self.begins_anew(&step, &later) => found = Some(step),
                false if self.depth_of(&step) > self.depth_of(&later) => return Some(self.start_of_statement(step)),
                _ => return Some(later),
            }
        }
        found
    }

    fn depth_of(&self, step: &Step) -> Option<u32> {
        Some(self.frame(step.frame?)?.depth)
    }

    /// What the caller does behind the call that an event is in; behind one that nobody called, or that gave control up (`yield`,
    /// `await`), what is executed next.
    fn behind(&self, at: &Step) -> Option<Step> {
        let frame = self.frame(at.frame?)?;
        let suspended = self.next_suspend(frame.id, at.id).filter(|step| frame.left.is_none_or(|left| step.id < left));
        let Some(left) = frame.left.filter(|_| suspended.is_none()) else {
            // One whose end is not known did nothing any more behind its last event.
            let last = suspended.or_else(|| self.last(&Target::InFrame(frame.id), self.thread.end()))?;
            self.rests_on_everything("what is executed next is asked for");
            let mut next = self.thread.steps_from(EventId(last.id.0 + 1));
            return next.find(|step| step.frame != Some(frame.id) && self.is_stop(step));
        };
        let left = EventId(left.0 + 1);
        let mut caller = self.caller_of(&frame);
        while let Some(around) = caller {
            let mut from = left;
            while let Some(next) = self.next(&Target::InFrame(around), from) {
                if self.is_stop(&next) {
                    return Some(next);
                }
                from = EventId(next.id.0 + 1);
            }
            caller = self.frame(around).and_then(|around| self.caller_of(&around));
        }
        self.rests_on_everything("what is executed next is asked for");
        self.thread.steps_from(left).find(|step| self.is_stop(step))
    }

    /// The next time that a frame gives control up and may go on later.
    fn next_suspend(&self, frame: FrameId, from: EventId) -> Option<Step> {
        let info = self.frame(frame)?;
        let sites = self.sites_of_function(info.unit, info.function, |kind| kind == SiteKind::Suspend);
        self.next(&Target::SitesInFrame(frame, &sites), from)
    }

    /// The statement that called the function that an event is in; before one that nobody called, what was executed last.
    fn before_call(&self, at: &Step) -> Option<Step> {
        let frame = self.frame(at.frame?)?;
        if let Some(called) = self.caller_of(&frame).and_then(|caller| self.last_stop(caller, frame.entered)) {
            return Some(self.start_of_statement(called));
        }
        self.rests_on_everything("what was executed before is asked for");
        let before = self.thread.steps_before(frame.entered).find(|step| self.is_stop(step))?;
        Some(self.start_of_statement(before))
    }

    /// The first event of the statement that an event is of, in the same execution of it.
    pub fn start_of_statement(&self, at: Step) -> Step {
        let Some(frame) = at.frame else { return at };
        let mut before = at.id;
        let mut start = at;
        for _ in 0..MOST_OF_STATEMENT {
            let Some(last) = self.last(&Target::InFrame(frame), before) else { break };
            before = last.id;
            // What is not of the source belongs to the statement that it is in.
            if last.site().is_none() {
                continue;
            }
            if !self.is_stop(&last) || start.site().is_some() && self.begins_anew(&last, &start) {
                break;
            }
            start = last;
        }
        start
    }

    /// Whether control can be said to be somewhere at an event.
    fn is_stop(&self, step: &Step) -> bool {
        use SiteKind::{Arguments, Carry, Enter, Exit, Param, Return, Scope, This};
        let Some(site) = step.site().and_then(|site| self.site(site)) else { return false };
        match site.site.kind {
            Enter | Exit | Param | This | Arguments | Scope | Carry => false,
            // The end of a file is no place in it.
            Return => site.code.sites.function(site.site.function).kind != FunctionKind::Module,
            _ => true,
        }
    }

    /// Whether an event of the same frame is of another statement than the one before it, or of another execution of the same.
    fn begins_anew(&self, before: &Step, next: &Step) -> bool {
        let place = |site: SiteId| {
            let code = self.code(site)?;
            let facts = code.site_facts(site);
            Some((code.unit.record.base, facts.statement, facts.order))
        };
        let (Some(one), Some(other)) = (before.site().and_then(place), next.site().and_then(place)) else {
            return false;
        };
        (one.0, one.1) != (other.0, other.1) || other.2 <= one.2
    }
}

/// Of a statement with more events of its own the start is not looked for further back.
const MOST_OF_STATEMENT: usize = 10_000;
