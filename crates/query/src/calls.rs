//! The call tree: who called whom, with what, and what came of it.

use trace_model::{Event, EventId, FrameId, SiteKind};
use trace_store::{FrameInfo, Step, Target};

use crate::{Datum, Trace};

/// How a call ended.
#[derive(Clone, PartialEq, Debug)]
pub enum FrameOutcome {
    Returned(Datum),
    /// An exception left it.
    Threw,
    /// It waits at an `await` or `yield`, or the recording ended first.
    Open,
}

/// What became of a frame that waited last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// It waits to the end.
    Lasts,
    /// What it waited for was rejected, and the frame ended.
    Rejected,
    /// One of the two.
    Unknown,
}

/// More frames than these that wait in one function are not told apart.
const MOST_WAITING: usize = 256;

impl Trace<'_> {
    /// Calls that a frame made, or that nobody recorded made (`None`), in order, from an event on.
    pub fn calls_from(&self, caller: Option<FrameId>, from: EventId) -> Calls<'_> {
        let end = caller.and_then(|caller| self.frame(caller)?.left).unwrap_or(self.thread.end());
        Calls { trace: self, caller, at: from, end }
    }

    pub fn calls(&self, caller: Option<FrameId>) -> Calls<'_> {
        let from = caller
            .and_then(|caller| self.frame(caller))
            .map_or(self.thread.first_event(), |frame| EventId(frame.entered.0 + 1));
        self.calls_from(caller, from)
    }

    /// Whether a frame is that of an initialiser: what it calls is called for the sake of the call around it.
    pub fn is_initialiser(&self, frame: &FrameInfo) -> bool {
        let code = self.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        code.is_some_and(|code| code.sites.function(frame.function).is_initialiser())
    }

    pub fn outcome(&self, frame: &FrameInfo) -> FrameOutcome {
        let Some(left) = frame.left else { return FrameOutcome::Open };
        if let Some(step) = self.return_of(frame) {
            return FrameOutcome::Returned(self.step_value(&step).unwrap_or(Datum::Undefined));
        }
        match self.previous_in_frame(frame.id, left) {
            Some(step) if self.kind(&step) == Some(SiteKind::Suspend) => FrameOutcome::Open,
            _ => FrameOutcome::Threw,
        }
    }

    /// What became, before an event, of a frame whose last one is that it waits. If what it waits for is rejected it ends without going
    /// on, and all that tells is an `Exit` of its function that belongs to no frame. Whose that is, is known if there are as many
    /// as frames that went on no more.
    pub fn wait_of(&self, frame: &FrameInfo, before: EventId) -> Wait {
        let exits = self.sites_of_function(frame.unit, frame.function, |kind| kind == SiteKind::Exit);
        let exits = self.each_before(&Target::Sites(&exits), self.thread.end());
        let exits: Vec<EventId> = exits
            .take_while(|step| step.id > frame.entered)
            .filter(|step| step.frame.is_none())
            .map(|step| step.id)
            .take(MOST_WAITING)
            .collect();
        let n_before = exits.iter().filter(|exit| **exit < before).count();
        let code = self.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        let (is_async, is_generator) = code.map_or((false, false), |code| {
            let function = code.sites.function(frame.function);
            (function.is_async, function.is_generator)
        });
        if n_before == 0 || !is_async {
            return Wait::Lasts;
        }
        let function = [(frame.unit, frame.function)];
        let entered = self.each_before(&Target::Enter(Some(&function)), self.thread.end());
        let frames: Vec<FrameId> = entered.filter_map(|step| step.frame).take(MOST_WAITING).collect();
        let waits = |frame: &&FrameId| {
            let last = self.previous_in_frame(**frame, self.thread.end());
            last.is_some_and(|step| self.kind(&step) == Some(SiteKind::Suspend))
        };
        let n_waiting = frames.iter().filter(waits).count();
        let is_whole = frames.len() < MOST_WAITING && exits.len() < MOST_WAITING;
        // A generator also ends where nobody asks it for more.
        match is_whole && !is_generator && n_before == exits.len() && n_waiting <= n_before {
            true => Wait::Rejected,
            false => Wait::Unknown,
        }
    }

    /// The `Return` of a frame. It is what ends one that does not say when it ends, as the top level of an ES module.
    pub fn return_of(&self, frame: &FrameInfo) -> Option<Step> {
        let left = frame.left?;
        let is_return = |step: &Step| step.frame == Some(frame.id) && self.kind(step) == Some(SiteKind::Return);
        let last = self.thread.step(left).filter(is_return);
        last.or_else(|| self.previous_in_frame(frame.id, left).filter(is_return))
    }

    /// The parameters of a frame, by name.
    pub fn parameters(&self, frame: &FrameInfo) -> Vec<(String, Datum)> {
        let mut parameters = Vec::new();
        for step in self.thread.steps_from(EventId(frame.entered.0 + 1)) {
            match &step.event {
                Event::Site { site, .. } => match self.kind(&step) {
                    Some(SiteKind::Param) => {
                        let name = self.site(*site).and_then(|site| Some(site.name(*site.site.names.first()?)));
                        let value = self.step_value(&step).unwrap_or(Datum::NotCaptured);
                        parameters.push((name.unwrap_or_default().to_owned(), value));
                    }
                    Some(SiteKind::This | SiteKind::Arguments) => {}
                    _ => break,
                },
                Event::Record(_) => {}
            }
        }
        parameters
    }
}

pub struct Calls<'t> {
    trace: &'t Trace<'t>,
    caller: Option<FrameId>,
    at: EventId,
    end: EventId,
}

impl Iterator for Calls<'_> {
    type Item = FrameInfo;

    fn next(&mut self) -> Option<FrameInfo> {
        loop {
            let step = self.trace.next(&Target::Enter(None), self.at)?;
            if step.id >= self.end {
                return None;
            }
            self.at = EventId(step.id.0 + 1);
            let frame = self.trace.frame(step.frame?)?;
            if frame.caller == self.caller || self.caller.is_none() && self.is_orphan(&frame) {
                // What it calls lies before its end; a frame that waits ends much later, and others come between.
                if let Some(left) = frame.left.filter(|_| !self.waits(&frame)) {
                    self.at = left;
                }
                return Some(frame);
            }
        }
    }
}

impl Calls<'_> {
    /// Whether who called it is not kept of the recording.
    fn is_orphan(&self, frame: &FrameInfo) -> bool {
        let is_cut = self.trace.thread.first_event().0 > 0;
        is_cut && frame.caller.is_some_and(|caller| self.trace.frame(caller).is_none())
    }

    fn waits(&self, frame: &FrameInfo) -> bool {
        let code = self.trace.thread.code().unit(frame.unit).and_then(|unit| unit.code().ok());
        let function = code.map(|code| code.sites.function(frame.function));
        function.is_some_and(|function| function.is_async || function.is_generator)
    }
}
