//! Frames, instances of block scopes, and the stack, from one event to the next.

use trace_model::{EventId, FrameId, FunctionIndex, LocalSite, Owner, SiteId, SiteKind};
use trace_store::{SiteRef, Thread};

#[derive(Default)]
pub struct Frames {
    /// By number, from 1 at index 0.
    instances: Vec<Instance>,
    stack: Vec<FrameId>,
    /// The frame on top ends, or waits, with the event that was passed last.
    top_leaves: bool,
}

enum Instance {
    Frame(Frame),
    Block { frame: FrameId, entered: EventId },
}

pub struct Frame {
    pub unit: SiteId,
    pub function: FunctionIndex,
    parent: Option<FrameId>,
    says_when_it_ends: bool,
    n_open_calls: i64,
    /// `Scope` events in it, oldest first.
    blocks: Vec<(EventId, LocalSite, FrameId)>,
}

impl Frames {
    /// The stack at the event that was passed last, outermost first.
    pub fn stack(&self) -> &[FrameId] {
        &self.stack
    }

    pub fn frame(&self, id: FrameId) -> Option<&Frame> {
        match self.instances.get(id.0.checked_sub(1)? as usize)? {
            Instance::Frame(frame) => Some(frame),
            Instance::Block { .. } => None,
        }
    }

    pub fn pass_record(&mut self) -> Option<FrameId> {
        self.end_top();
        self.stack.last().copied()
    }

    /// Gives the frame that the event is in.
    pub fn pass_site(&mut self, id: EventId, site: &SiteRef, tail: Option<FrameId>) -> Option<FrameId> {
        self.end_top();
        let of = (site.unit.record.base, site.site.function);
        match site.site.kind {
            SiteKind::Enter => {
                self.instances.push(Instance::Frame(Frame {
                    unit: of.0,
                    function: of.1,
                    parent: tail,
                    says_when_it_ends: site.function().exact_exit,
                    n_open_calls: 0,
                    blocks: Vec::new(),
                }));
                self.stack.push(FrameId(self.instances.len() as u32));
            }
            SiteKind::Catch | SiteKind::Finally | SiteKind::Resume | SiteKind::LateResume => {
                let frame = tail?;
                match self.stack.iter().position(|known| *known == frame) {
                    Some(at) => self.stack.truncate(at + 1),
                    None => self.stack.push(frame),
                }
            }
            kind => self.find_top(of, kind == SiteKind::Result),
        }
        let top = *self.stack.last()?;
        if self.frame(top).is_none_or(|frame| (frame.unit, frame.function) != of) {
            if site.site.kind == SiteKind::Scope {
                self.instances.push(Instance::Block { frame: top, entered: id });
            }
            return None;
        }
        self.note(id, top, site);
        Some(top)
    }

    /// The event that numbered a block instance.
    pub fn entered(&self, instance: FrameId) -> Option<EventId> {
        match self.instances.get(instance.0.checked_sub(1)? as usize)? {
            Instance::Block { entered, .. } => Some(*entered),
            Instance::Frame(_) => None,
        }
    }

    /// The instance that holds a variable of this owner, seen from a frame before an event.
    pub fn owner(
        &self,
        thread: &Thread,
        frame: FrameId,
        before: EventId,
        unit: SiteId,
        owner: Owner,
    ) -> Option<FrameId> {
        let block = match owner {
            Owner::Block(block) => Some(block),
            _ => None,
        };
        let function = match owner {
            Owner::Function(function) => function,
            Owner::Block(block) => thread.site(SiteId(unit.0 + block.0))?.site.function,
            Owner::Global => return None,
        };
        let (mut frame, mut before) = (frame, before);
        loop {
            let known = self.frame(frame)?;
            if (known.unit, known.function) == (unit, function) {
                let Some(block) = block else { return Some(frame) };
                let is_it = |(entered, site, _): &&(EventId, LocalSite, FrameId)| *entered < before && *site == block;
                return known.blocks.iter().rev().find(is_it).map(|(_, _, instance)| *instance);
            }
            let parent = known.parent?;
            match self.instances.get(parent.0.checked_sub(1)? as usize)? {
                // The blocks around it were entered before it, or are it.
                Instance::Block { frame: around, entered } => (frame, before) = (*around, EventId(entered.0 + 1)),
                Instance::Frame(_) => (frame, before) = (parent, before),
            }
        }
    }

    fn end_top(&mut self) {
        if std::mem::take(&mut self.top_leaves) {
            self.stack.pop();
        }
    }

    /// Frames above that of the function are gone, as far as they are of the kind that ends without an event.
    fn find_top(&mut self, of: (SiteId, FunctionIndex), is_result: bool) {
        for depth in (0..self.stack.len()).rev() {
            let Some(frame) = self.frame(self.stack[depth]) else { return };
            let cannot_be = is_result && !frame.says_when_it_ends && frame.n_open_calls == 0;
            if (frame.unit, frame.function) == of && !cannot_be {
                return self.stack.truncate(depth + 1);
            }
            if frame.says_when_it_ends {
                return;
            }
        }
    }

    fn note(&mut self, id: EventId, top: FrameId, site: &SiteRef) {
        if site.site.kind == SiteKind::Scope {
            self.instances.push(Instance::Block { frame: top, entered: id });
        }
        let newest = FrameId(self.instances.len() as u32);
        let Some(Instance::Frame(frame)) = self.instances.get_mut(top.0 as usize - 1) else { return };
        match site.site.kind {
            SiteKind::Scope => frame.blocks.push((id, site.unit.local(site.id), newest)),
            SiteKind::Call => frame.n_open_calls += 1,
            SiteKind::Result => frame.n_open_calls = (frame.n_open_calls - 1).max(0),
            SiteKind::Catch | SiteKind::Finally => frame.n_open_calls = 0,
            SiteKind::Exit | SiteKind::Suspend => self.top_leaves = true,
            SiteKind::Return => self.top_leaves = !frame.says_when_it_ends,
            _ => {}
        }
    }
}
