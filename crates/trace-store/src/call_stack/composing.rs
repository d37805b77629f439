//! Blocks that were followed alone (`relative.rs`), one put behind the other: what that took for granted of the stack is looked up.

use trace_format::{AssumedFrame, FrameOrigin, OpenFrame, RelativeFrame, RelativeOutline, WayToFrame};
use trace_model::FrameId;

use super::CallStack;
use crate::replay::Past;

impl CallStack {
    /// Moves the stack as the events of the next block do. Gives the frames that the block came to, as they were before it; `None` if they are
    /// not what it took them for: then nothing is changed, and its events must be followed.
    pub(crate) fn pass_block(&mut self, block: &RelativeOutline, past: &mut impl Past) -> Option<Vec<OpenFrame>> {
        let n_before = self.last_number;
        if block.n_frames_before.is_some_and(|assumed| assumed != n_before) {
            return None;
        }
        // So many frames are below all that the block came to.
        let mut n_left = self.frames.len();
        let mut found: Vec<OpenFrame> = Vec::new();
        let mut resumed = Vec::new();
        for assumed in &block.assumed {
            let frame = match assumed.way {
                WayToFrame::Event | WayToFrame::Result => {
                    n_left = self.find(n_left, assumed)?;
                    self.frames[n_left].clone()
                }
                WayToFrame::Returned => {
                    n_left = self.frames[..n_left].iter().rposition(|frame| Some(frame.id) == assumed.id)?;
                    self.frames[n_left].clone()
                }
                WayToFrame::Resumed => {
                    let id = assumed.id.filter(|id| id.0 <= n_before)?;
                    let is_it = |frame: &OpenFrame| frame.id == id;
                    if found.iter().any(is_it) || self.frames[..n_left].iter().any(is_it) {
                        return None;
                    }
                    let waiting = self.suspended.get(&id).map(|(frame, _)| frame.clone());
                    let waiting = waiting.or_else(|| past.suspended(id));
                    resumed.extend(waiting.clone());
                    waiting.unwrap_or_else(|| not_entered(id, assumed))
                }
            };
            let is_as_assumed = frame.unit == assumed.unit
                && frame.function == assumed.function
                && frame.exact_exit == assumed.exact_exit
                && assumed.id.is_none_or(|id| id == frame.id)
                && frame.n_open_calls.is_none_or(|n| n >= assumed.least_calls);
            if !is_as_assumed || assumed.way != WayToFrame::Resumed && self.suspended.contains_key(&frame.id) {
                return None;
            }
            found.push(frame);
        }
        self.frames.truncate(n_left);
        for frame in &resumed {
            self.suspended.remove(&frame.id);
        }
        self.resumed.append(&mut resumed);
        self.frames.extend(block.stack.iter().map(|frame| placed(frame, &found, n_before)));
        for frame in &block.suspended {
            let frame = placed(frame, &found, n_before);
            self.suspended.insert(frame.id, (frame, self.n_blocks));
        }
        self.last_number += block.n.frames;
        Some(found)
    }

    /// As `drop_left_frames`, from so many frames down.
    fn find(&self, mut n_left: usize, assumed: &AssumedFrame) -> Option<usize> {
        while let Some(top) = n_left.checked_sub(1) {
            let frame = &self.frames[top];
            let is_of = frame.unit == assumed.unit && frame.function == assumed.function;
            let gets_none = assumed.way == WayToFrame::Result && !frame.exact_exit && frame.n_open_calls == Some(0);
            if is_of && !gets_none {
                return Some(top);
            }
            if frame.exact_exit {
                return None;
            }
            n_left = top;
        }
        None
    }
}

/// A frame that comes back and that nobody saw before.
fn not_entered(id: FrameId, assumed: &AssumedFrame) -> OpenFrame {
    OpenFrame {
        id,
        unit: assumed.unit,
        function: assumed.function,
        scope: None,
        exact_exit: assumed.exact_exit,
        n_open_calls: None,
        blocks: Vec::new(),
    }
}

/// A frame at the end of a block.
fn placed(frame: &RelativeFrame, found: &[OpenFrame], n_before: u32) -> OpenFrame {
    let numbered = |number: u32| FrameId(n_before + number);
    let mut placed = match frame.origin {
        FrameOrigin::Entered { number, unit, function, exact_exit, scope } => OpenFrame {
            id: numbered(number),
            unit,
            function,
            scope,
            exact_exit,
            n_open_calls: Some(0),
            blocks: Vec::new(),
        },
        FrameOrigin::Assumed(at) => found[at as usize].clone(),
    };
    placed.n_open_calls = frame.calls.from(placed.n_open_calls);
    for (site, instance) in &frame.blocks {
        match placed.blocks.iter_mut().find(|(known, _)| known == site) {
            Some((_, latest)) => *latest = numbered(*instance),
            None => placed.blocks.push((*site, numbered(*instance))),
        }
    }
    placed
}
