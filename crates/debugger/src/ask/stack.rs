//! The call stack at a moment, a page of it, with what led to it across turns of the event loop.

use std::ops::Range;

use query::StackFrame;
use trace_store::FrameInfo;

use super::handle::Held;
use super::{AsyncParent, Handle, Moment, Point};
use crate::Error;
use crate::page::{Cursor, Page, PageRequest};

#[derive(Clone, Debug)]
pub struct StackAnswer {
    pub point: Point,
    /// Innermost first; behind the outermost one those that led to it.
    pub frames: Page<FrameAt>,
}

#[derive(Clone, Debug)]
pub struct FrameAt {
    /// From 0, the innermost.
    pub number: usize,
    /// Nothing at the top level of a file.
    pub function: Option<String>,
    /// Where it is.
    pub point: Option<Point>,
    /// Set if the frame is on the stack no more: how it led to the one above.
    pub parent: Option<AsyncParent>,
    /// By which its scopes are asked for.
    pub handle: Handle,
}

const LIST: &str = "stack";

impl Moment<'_> {
    pub(crate) fn stack_page(&self, page: &PageRequest) -> Result<StackAnswer, Error> {
        let (thread, before) = (self.number as u64, self.at.scene.before.0);
        let start = match page.numbers(LIST)? {
            Some([of_thread, of_moment, start]) if (of_thread, of_moment) == (thread, before) => start as usize,
            Some(_) => return Err(page.refused()),
            None => 0,
        };
        let end = start.saturating_add(page.limit());
        // The frame above the first one says how that led to it.
        let first = start.saturating_sub(1);
        let (frames, has_more) = self.stack_part(first..end);
        let mut above: Option<FrameInfo> = None;
        let mut items = Vec::new();
        for (number, StackFrame { frame, at, is_async_parent }) in (first..).zip(frames) {
            let parent = is_async_parent.then(|| AsyncParent::below(above.as_ref()));
            above = Some(frame);
            if number < start {
                continue;
            }
            let unit = self.trace.thread.code().unit(frame.unit);
            items.push(FrameAt {
                number,
                function: unit.and_then(|unit| self.function_name(unit, frame.function)),
                point: if number == 0 { Some(self.here()) } else { at.map(|at| self.point(&at)) },
                parent,
                handle: self.handle(Held::Frame(frame.id)),
            });
        }
        let next = has_more.then(|| Cursor::at(LIST, [thread, before, end as u64]));
        let n_all = next.is_none().then_some((start + items.len()) as u64);
        Ok(StackAnswer { point: self.here(), frames: Page { items, next, n_all } })
    }

    /// The frames from that of the point on, innermost first, and whether there are more.
    pub(super) fn stack_part(&self, part: Range<usize>) -> (Vec<StackFrame>, bool) {
        let at = self.at.step.id;
        let Some(own) = self.at.scene.frame else { return self.trace.stack_part(at, part) };
        // At the end of the program, and where an exception left frames, the point is in a frame that is not the innermost.
        if let Some(offset) = self.trace.frames_at(at).iter().rev().position(|frame| *frame == own) {
            let [start, end] = [part.start, part.end].map(|bound| bound.saturating_add(offset));
            return self.trace.stack_part(at, start..end);
        }
        let mut stack = self.trace.stack(at);
        match stack.iter().position(|shown| shown.frame.id == own) {
            Some(position) => drop(stack.drain(..position)),
            None => {
                let at = self.trace.previous_in_frame(own, self.at.scene.before);
                stack =
                    Vec::from_iter(self.trace.frame(own).map(|frame| StackFrame { frame, at, is_async_parent: false }));
            }
        }
        let has_more = stack.len() > part.end;
        stack.truncate(part.end);
        stack.drain(..part.start.min(stack.len()));
        (stack, has_more)
    }
}
