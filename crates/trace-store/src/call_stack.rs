//! Which frames are on the stack, from the events alone.
//!
//! Functions enter and leave with events, but not all of them say when they leave: an `Exit` on every way out would need a
//! `try … finally` around the body, and small functions go without (`exact_exit` is false). Their frames are taken off as soon
//! as an event shows that they are gone: their `Return`, an event of a function below, a result that they cannot have
//! asked for, or a frame number that lies below them.

mod composing;

use std::collections::HashMap;

use trace_format::OpenFrame;
use trace_model::{Event, FrameId, FunctionIndex, SiteId, SiteKind, TailValues};

use crate::ProcessCode;
use crate::brief::SiteBrief;

/// Feeds on all events of a thread, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallStack {
    frames: Vec<OpenFrame>,
    /// Frames that wait at `await` or `yield`, and in which block they began to.
    suspended: HashMap<FrameId, (OpenFrame, u32)>,
    /// How many blocks were begun.
    n_blocks: u32,
    /// Frames that came back since the block began, and had been suspended before, as they were then.
    resumed: Vec<OpenFrame>,
    last_number: u32,
    /// What the last event did to its frame, which it was still in.
    last_step: Step,
    /// The frames that the last event showed to be gone, or ended itself.
    left: Vec<FrameId>,
    /// Whether the last event left nothing to be done, here and in `left`.
    is_settled: bool,
}

/// An event of a site, as far as it moves the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved<'a> {
    /// The first site of its code.
    pub unit: SiteId,
    pub site: SiteId,
    pub brief: &'a SiteBrief,
    /// What its tail is, if that is a scope or a frame; 0: nothing.
    pub tail: u32,
}

impl CallStack {
    /// A stack that starts in the middle of a thread, where so many frames and scopes had been numbered.
    pub fn starting_at(n_frames: u32) -> CallStack {
        CallStack { last_number: n_frames, ..CallStack::default() }
    }

    /// A stack at the start of a block, with the suspended frames that come back in it.
    pub(crate) fn at_block(n_frames: u32, frames: Vec<OpenFrame>, suspended: Vec<OpenFrame>) -> CallStack {
        let suspended = suspended.into_iter().map(|frame| (frame.id, (frame, 0))).collect();
        CallStack { frames, suspended, ..CallStack::starting_at(n_frames) }
    }

    pub(crate) fn begin_block(&mut self) {
        self.pass_record();
        self.n_blocks += 1;
        self.resumed.clear();
    }

    pub(crate) fn resumed(&self) -> &[OpenFrame] {
        &self.resumed
    }

    pub(crate) fn is_known(&self, id: FrameId) -> bool {
        self.suspended.contains_key(&id) || self.frames.iter().rev().any(|frame| frame.id == id)
    }

    /// A frame that was suspended before.
    pub(crate) fn add_suspended(&mut self, frame: OpenFrame) {
        self.suspended.insert(frame.id, (frame, 0));
    }

    /// The frames, outermost first.
    pub fn frames(&self) -> &[OpenFrame] {
        &self.frames
    }

    pub fn top(&self) -> Option<&OpenFrame> {
        self.frames.last()
    }

    /// The number of the last frame or scope.
    pub fn last_number(&self) -> FrameId {
        FrameId(self.last_number)
    }

    /// Takes the next event. The stack is then that at the event: a function's `Enter` and `Exit` are both in its frame, and
    /// the frame is gone with the event after `Exit`.
    pub fn feed(&mut self, event: &Event, code: &ProcessCode) {
        let Event::Site { site, tail, .. } = event else { return self.pass_record() };
        let Some((unit, brief)) = code.briefs().find(*site) else { return self.pass_record() };
        let tail = match tail {
            TailValues::ParentScope(Some(frame)) | TailValues::Frame(frame) => frame.0,
            _ => 0,
        };
        self.pass_site(Moved { unit, site: *site, brief, tail });
    }

    /// An event that is not of a site moves nothing.
    #[inline]
    pub(crate) fn pass_record(&mut self) {
        if !self.is_settled {
            self.left.clear();
            self.finish_last_step();
            self.is_settled = true;
        }
    }

    #[inline]
    pub(crate) fn pass_site(&mut self, event: Moved) {
        if self.is_settled
            && let Some(top) = self.frames.last_mut()
            && is_of(top, &event)
        {
            // Most events are in the frame on top, and do no more.
            match (event.brief.moves_stack(), event.brief.kind(), &mut top.n_open_calls) {
                (false, _, _) => return,
                (true, SiteKind::Call, Some(n)) => return *n += 1,
                (true, SiteKind::Result, Some(n)) if *n > 0 => return *n -= 1,
                _ => {}
            }
        }
        self.move_by(event);
    }

    fn move_by(&mut self, event: Moved) {
        self.pass_record();
        match event.brief.kind() {
            SiteKind::Enter => {
                self.last_number += 1;
                let scope = (event.tail != 0).then_some(FrameId(event.tail));
                let frame = OpenFrame { scope, ..frame_of(FrameId(self.last_number), &event) };
                self.frames.push(frame);
            }
            SiteKind::Catch | SiteKind::Finally | SiteKind::Resume | SiteKind::LateResume => {
                self.return_to(FrameId(event.tail), &event);
            }
            kind => {
                self.drop_left_frames(&event);
                if kind == SiteKind::Scope {
                    self.last_number += 1;
                    self.enter_scope(&event);
                }
            }
        }
        self.last_step = self.step_within(&event);
        self.is_settled = self.last_step == Step::Inside && self.left.is_empty();
    }

    /// The frames that the last event ended, or showed to be gone.
    pub(crate) fn left(&self) -> &[FrameId] {
        &self.left
    }

    /// The frame that the last event, of this function, was in.
    pub(crate) fn frame_of(&self, unit: SiteId, function: FunctionIndex) -> Option<&OpenFrame> {
        self.frames.last().filter(|top| top.unit == unit && top.function == function)
    }

    /// As the next event will find it.
    pub(crate) fn finish_last_step(&mut self) {
        match std::mem::take(&mut self.last_step) {
            Step::Inside => {}
            Step::Leaves => drop(self.frames.pop()),
            Step::Suspends => {
                if let Some(frame) = self.frames.pop() {
                    self.suspended.insert(frame.id, (frame, self.n_blocks));
                }
            }
        }
    }

    fn enter_scope(&mut self, event: &Moved) {
        let number = FrameId(self.last_number);
        let Some(top) = self.frames.last_mut().filter(|top| is_of(top, event)) else { return };
        let site = trace_model::LocalSite(event.site.0 - event.unit.0);
        match top.blocks.iter_mut().find(|(known, _)| *known == site) {
            Some((_, instance)) => *instance = number,
            None => top.blocks.push((site, number)),
        }
    }

    fn step_within(&mut self, event: &Moved) -> Step {
        let Some(top) = self.frames.last_mut().filter(|top| is_of(top, event)) else { return Step::Inside };
        match event.brief.kind() {
            SiteKind::Exit => {}
            SiteKind::Return if !top.exact_exit => {}
            SiteKind::Suspend => return Step::Suspends,
            SiteKind::Call => {
                top.n_open_calls = top.n_open_calls.map(|n| n + 1);
                return Step::Inside;
            }
            SiteKind::Result => {
                top.n_open_calls = top.n_open_calls.map(|n| n.saturating_sub(1));
                return Step::Inside;
            }
            // Statements are not inside expressions: no call of this frame is open where a statement begins anew.
            SiteKind::Catch | SiteKind::Finally => {
                top.n_open_calls = Some(0);
                return Step::Inside;
            }
            _ => return Step::Inside,
        }
        self.left.push(top.id);
        Step::Leaves
    }

    /// Control is in this frame: what was above it is gone, or it comes back from its suspension.
    fn return_to(&mut self, id: FrameId, event: &Moved) {
        if let Some((frame, since)) = self.suspended.remove(&id) {
            if since < self.n_blocks {
                self.resumed.push(frame.clone());
            }
            self.frames.push(frame);
        } else if let Some(at) = self.frames.iter().rposition(|frame| frame.id == id) {
            self.drop_above(at + 1);
        } else {
            self.frames.push(OpenFrame { n_open_calls: None, ..frame_of(id, event) });
        }
    }

    /// An event of another function than the top one's: the frames above that function's are gone, if they were of the
    /// kind that does not say so.
    fn drop_left_frames(&mut self, event: &Moved) {
        let is_result = event.brief.kind() == SiteKind::Result;
        // A function that calls itself: only the frame that made a call can get a result.
        let can_be = |frame: &OpenFrame| {
            is_of(frame, event) && !(is_result && !frame.exact_exit && frame.n_open_calls == Some(0))
        };
        let mut depth = self.frames.len();
        while let Some(frame) = depth.checked_sub(1).map(|top| &self.frames[top]) {
            if can_be(frame) {
                return self.drop_above(depth);
            }
            if frame.exact_exit {
                return self.suspend_silent_frames(event);
            }
            depth -= 1;
        }
    }

    /// A function that waits for the next one of `for await` does not say so. That it no longer runs is seen when a function below
    /// it returns or waits itself.
    fn suspend_silent_frames(&mut self, event: &Moved) {
        if !shows_silent_frames(event.brief.kind()) {
            return;
        }
        let Some(at) = self.frames.iter().rposition(|frame| is_of(frame, event)) else { return };
        for frame in self.frames.drain(at + 1..) {
            match frame.exact_exit {
                true => drop(self.suspended.insert(frame.id, (frame, self.n_blocks))),
                false => self.left.push(frame.id),
            }
        }
    }

    fn drop_above(&mut self, depth: usize) {
        // Mostly there is nothing to drop.
        if depth < self.frames.len() {
            self.left.extend(self.frames.drain(depth..).map(|frame| frame.id));
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

/// Whether only a frame on top does this. Other events of a function can come before it is entered (defaults of parameters) and, at
/// the end, while it is suspended.
pub(crate) fn shows_silent_frames(kind: SiteKind) -> bool {
    matches!(kind, SiteKind::Return | SiteKind::Suspend)
}

fn is_of(frame: &OpenFrame, event: &Moved) -> bool {
    frame.unit == event.unit && frame.function == event.brief.function
}

fn frame_of(id: FrameId, event: &Moved) -> OpenFrame {
    OpenFrame {
        id,
        unit: event.unit,
        function: event.brief.function,
        scope: None,
        exact_exit: event.brief.exact_exit(),
        n_open_calls: Some(0),
        blocks: Vec::new(),
    }
}
