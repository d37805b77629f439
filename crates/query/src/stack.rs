//! The stack at a moment, with what led to it across turns of the event loop.

use std::collections::HashSet;
use std::ops::Range;

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
        self.stack_part(before, 0..usize::MAX).0
    }

    /// A part of the stack, counted from the innermost frame, and whether there is more behind it. Where control is in a frame is
    /// looked up for the frames of this part only.
    pub fn stack_part(&self, before: EventId, part: Range<usize>) -> (Vec<StackFrame>, bool) {
        let on_stack: Vec<FrameId> = self.frames_at(before).into_iter().rev().collect();
        let [start, end] = [part.start, part.end].map(|bound| bound.min(on_stack.len()));
        let mut inner = start.checked_sub(1).and_then(|at| self.frame(on_stack[at]));
        let mut stack: Vec<StackFrame> = Vec::new();
        for frame in on_stack[start..end].iter().filter_map(|frame| self.frame(*frame)) {
            let mut shown = self.stack_frame(frame, before, false);
            // Control is at the call, whatever was evaluated for it last; unless it was resumed since.
            let since = shown.at.as_ref().map(|at| at.id);
            let is_called_by = |inner: &FrameInfo| self.caller_of(inner) == Some(frame.id);
            let called = inner.filter(is_called_by).filter(|inner| since < Some(inner.entered));
            let call = called.and_then(|inner| self.call_of(inner.id));
            shown.at = call.filter(|call| call.frame == Some(frame.id)).or(shown.at);
            inner = Some(frame);
            stack.push(shown);
        }
        let mut known: HashSet<FrameId> = on_stack.iter().copied().collect();
        let mut outermost = on_stack.last().copied();
        let mut n_frames = on_stack.len();
        while let Some((parent, at)) = outermost.and_then(|frame| self.async_parent(frame)) {
            let Some(frame) = self.frame(parent).filter(|_| n_frames < MOST_FRAMES && known.insert(parent)) else {
                break;
            };
            if n_frames >= part.end {
                return (stack, true);
            }
            if n_frames >= part.start {
                stack.push(self.stack_frame(frame, at, true));
            }
            n_frames += 1;
            outermost = Some(parent);
        }
        (stack, end < on_stack.len())
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
