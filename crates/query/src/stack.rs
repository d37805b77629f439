//! The stack at a moment, with what led to it across turns of the event loop.

use trace_model::{EventId, FrameId};
use trace_store::{FrameInfo, Step};

use crate::Trace;

#[derive(Clone, Debug)]
pub struct StackFrame {
    pub frame: FrameInfo,
    /// Where control is in it: its newest event; none if it has just been entered.
    pub at: Option<Step>,
    /// The frame is not on the stack: it awaits, or handed out the callback that is running.
    pub is_async_parent: bool,
}

impl Trace<'_> {
    /// Innermost first; behind the outermost frame its async parents.
    pub fn stack(&self, before: EventId) -> Vec<StackFrame> {
        let mut stack: Vec<StackFrame> = Vec::new();
        for frame in self.frames_at(before).into_iter().rev() {
            let Some(frame) = self.frame(frame) else { continue };
            let mut shown = self.stack_frame(frame, before, false);
            // Control is at the call, whatever was evaluated for it last; unless it was resumed since.
            let since = shown.at.as_ref().map(|at| at.id);
            let is_called_by = |inner: &&StackFrame| self.caller_of(&inner.frame) == Some(frame.id);
            let called = stack.last().filter(is_called_by).filter(|inner| since < Some(inner.frame.entered));
            let call = called.and_then(|inner| self.call_of(inner.frame.id));
            shown.at = call.filter(|call| call.frame == Some(frame.id)).or(shown.at);
            stack.push(shown);
        }
        let mut outermost = stack.last().map(|last| last.frame.id);
        while let Some((parent, at)) = outermost.and_then(|frame| self.async_parent(frame)) {
            let is_known = stack.iter().any(|known| known.frame.id == parent);
            let Some(frame) = self.frame(parent).filter(|_| !is_known && stack.len() < MOST_FRAMES) else { break };
            stack.push(self.stack_frame(frame, at, true));
            outermost = Some(parent);
        }
        stack
    }

    fn stack_frame(&self, frame: FrameInfo, before: EventId, is_async_parent: bool) -> StackFrame {
        let at = self.previous_in_frame(frame.id, before);
        StackFrame { frame, at, is_async_parent }
    }

    /// The frame that an outermost frame continues, and the moment it was left at: its caller, if it waited since; else who
    /// handed out its function.
    fn async_parent(&self, frame: FrameId) -> Option<(FrameId, EventId)> {
        let info = self.frame(frame)?;
        if let Some(caller) = self.caller_of(&info) {
            return Some((caller, info.entered));
        }
        let registered = self.registration(frame)?;
        Some((registered.frame?, EventId(registered.id.0 + 1)))
    }
}

const MOST_FRAMES: usize = 10_000;
