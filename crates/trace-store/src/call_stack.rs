//! Which frames are on the stack, from the events alone.
//!
//! Functions enter and leave with events, but not all of them say when they leave: an `Exit` on every way out would need a
//! `try … finally` around the body, and small functions go without (`exact_exit` is false). Their frames are taken off as soon
//! as an event shows that they are gone: their `Return`, an event of a function below, a result that they cannot have
//! asked for, or a frame number that lies below them.

use std::collections::HashMap;

use trace_model::{Event, EventId, FrameId, FunctionIndex, SiteId, SiteKind, TailValues};

use crate::{ProcessCode, SiteRef};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    pub id: FrameId,
    /// The first site of the function's code: with `function` it names the function in its process.
    pub unit: SiteId,
    pub function: FunctionIndex,
    /// `None`: it was entered before the recording, or before what is kept of it.
    pub entered: Option<EventId>,
    /// The scope in which the function was created.
    pub scope: Option<FrameId>,
    exact_exit: bool,
    /// Calls that were made and whose result did not come yet.
    n_open_calls: u32,
}

/// Feeds on all events of a thread, in order.
#[derive(Clone, Debug, Default)]
pub struct CallStack {
    frames: Vec<Frame>,
    /// Frames that wait at `await` or `yield`.
    suspended: HashMap<FrameId, Frame>,
    last_number: u32,
    /// What the last event did to its frame, which it was still in.
    last_step: Step,
}

impl CallStack {
    /// A stack that starts in the middle of a thread, where so many frames and scopes had been numbered.
    pub fn starting_at(n_frames: u32) -> CallStack {
        CallStack { last_number: n_frames, ..CallStack::default() }
    }

    /// The frames, outermost first.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The number of the last frame or scope.
    pub fn last_number(&self) -> FrameId {
        FrameId(self.last_number)
    }

    /// Takes the next event. The stack is then that at the event: a function's `Enter` and `Exit` are both in its frame, and
    /// the frame is gone with the event after `Exit`.
    pub fn feed(&mut self, id: EventId, event: &Event, code: &ProcessCode) {
        self.finish_last_step();
        let Event::Site { site, tail, .. } = event else { return };
        let Some(site) = code.site(*site) else { return };
        match (site.site.kind, tail) {
            (SiteKind::Enter, TailValues::ParentScope(scope)) => {
                self.last_number += 1;
                let frame = Frame { entered: Some(id), scope: *scope, ..frame_of(FrameId(self.last_number), &site) };
                self.frames.push(frame);
            }
            (_, TailValues::Frame(frame)) => self.return_to(*frame, &site),
            (kind, _) => {
                if kind == SiteKind::Scope {
                    self.last_number += 1;
                }
                self.drop_left_frames(&site);
            }
        }
        self.last_step = self.step_within(&site);
    }

    fn finish_last_step(&mut self) {
        match std::mem::take(&mut self.last_step) {
            Step::Inside => {}
            Step::Leaves => drop(self.frames.pop()),
            Step::Suspends => {
                if let Some(frame) = self.frames.pop() {
                    self.suspended.insert(frame.id, frame);
                }
            }
        }
    }

    fn step_within(&mut self, site: &SiteRef) -> Step {
        let Some(top) = self.frames.last_mut().filter(|top| top.is_of(site)) else { return Step::Inside };
        match site.site.kind {
            SiteKind::Exit => Step::Leaves,
            SiteKind::Return if !top.exact_exit => Step::Leaves,
            SiteKind::Suspend => Step::Suspends,
            SiteKind::Call => {
                top.n_open_calls += 1;
                Step::Inside
            }
            SiteKind::Result => {
                top.n_open_calls = top.n_open_calls.saturating_sub(1);
                Step::Inside
            }
            // Statements are not inside expressions: no call of this frame is open where a statement begins anew.
            SiteKind::Catch | SiteKind::Finally => {
                top.n_open_calls = 0;
                Step::Inside
            }
            _ => Step::Inside,
        }
    }

    /// Control is in this frame: what was above it is gone, or it comes back from its suspension.
    fn return_to(&mut self, id: FrameId, site: &SiteRef) {
        if let Some(frame) = self.suspended.remove(&id) {
            self.frames.push(frame);
        } else if let Some(at) = self.frames.iter().rposition(|frame| frame.id == id) {
            self.frames.truncate(at + 1);
        } else {
            self.frames.push(frame_of(id, site));
        }
    }

    /// An event of another function than the top one's: the frames above that function's are gone, if they were of the
    /// kind that does not say so.
    fn drop_left_frames(&mut self, site: &SiteRef) {
        let is_result = site.site.kind == SiteKind::Result;
        // A function that calls itself: only the frame that made a call can get a result.
        let can_be = |frame: &Frame| frame.is_of(site) && !(is_result && !frame.exact_exit && frame.n_open_calls == 0);
        let mut depth = self.frames.len();
        while let Some(frame) = depth.checked_sub(1).map(|top| &self.frames[top]) {
            if can_be(frame) {
                self.frames.truncate(depth);
                return;
            }
            if frame.exact_exit {
                return;
            }
            depth -= 1;
        }
    }
}

/// What an event does to the frame it is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Step {
    #[default]
    Inside,
    Leaves,
    Suspends,
}

impl Frame {
    fn is_of(&self, site: &SiteRef) -> bool {
        self.unit == site.unit.record.base && self.function == site.site.function
    }
}

fn frame_of(id: FrameId, site: &SiteRef) -> Frame {
    Frame {
        id,
        unit: site.unit.record.base,
        function: site.site.function,
        entered: None,
        scope: None,
        exact_exit: site.function().exact_exit,
        n_open_calls: 0,
    }
}
