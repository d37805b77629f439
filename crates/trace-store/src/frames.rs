//! Frames and scope instances by number, and the stack at an event.

use trace_model::{EventId, FrameId, FunctionIndex, LocalSite, ObjectId, Owner, SiteId, SiteKind};

use crate::Thread;
use crate::fact::Fact;
use crate::replay::find_instance;
use crate::steps::{Step, step};
use crate::target::{BirthPlace, Query, Target, is_birth};

/// An activation of a function, or an instance of a block scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    pub id: FrameId,
    /// Whether it is an instance of a block scope.
    pub is_block: bool,
    /// The frame that it is, or that it is in.
    pub frame: FrameId,
    /// The first site of the function's code.
    pub unit: SiteId,
    pub function: FunctionIndex,
    /// Of a block scope, its `Scope`.
    pub site: Option<LocalSite>,
    pub entered: EventId,
    /// The event that ended it, or at which it was found gone; `None`: it was there to the end. Of a block scope that of its
    /// frame.
    pub left: Option<EventId>,
    /// The instance around it in the source.
    pub scope: Option<FrameId>,
    /// The frame below it on the stack when it was entered.
    pub caller: Option<FrameId>,
    /// How many frames were below it.
    pub depth: u32,
}

impl Thread {
    /// A frame or scope instance by its number; `None` if it was entered before what is kept of the thread.
    pub fn frame(&self, id: FrameId) -> Option<FrameInfo> {
        let blocks = self.blocks();
        let number = blocks.of_frame(id)?;
        let block = blocks.load(number);
        let entered = block.entered(id)?;
        let (unit, brief) = self.code().briefs().find(entered.site)?;
        let is_block = brief.kind() == SiteKind::Scope;
        let frame = if is_block { entered.caller? } else { id };
        let info = FrameInfo {
            id,
            is_block,
            frame,
            unit,
            function: brief.function,
            site: is_block.then_some(LocalSite(entered.site.0 - unit.0)),
            entered: block.id(entered.event as usize),
            left: None,
            scope: entered.scope,
            caller: entered.caller,
            depth: entered.depth,
        };
        if !is_block {
            let left = block.left(id, entered.event).or_else(|| self.left_later(id, entered.site, number));
            return Some(FrameInfo { left, ..info });
        }
        let around = self.frame(frame);
        Some(FrameInfo {
            left: around.and_then(|frame| frame.left),
            caller: around.and_then(|frame| frame.caller),
            ..info
        })
    }

    /// The frames on the stack at an event, outermost first; its own is the last.
    pub fn stack(&self, at: EventId) -> Vec<FrameId> {
        let blocks = self.blocks();
        let Some(number) = blocks.of_event_or_earlier(at) else { return Vec::new() };
        let block = blocks.load(number);
        let index = (at.0 - block.before.events) as usize;
        if index >= block.len() {
            return Vec::new();
        }
        let stack = block.stack_at(index, &mut self.code().briefs(), &mut blocks.past(number));
        stack.frames().iter().map(|frame| frame.id).collect()
    }

    /// The instance that holds a variable of this owner, seen from a frame right before an event. `None`: it is global, or it
    /// cannot be told.
    pub fn owner(&self, frame: FrameId, at: EventId, unit: SiteId, owner: Owner) -> Option<FrameId> {
        if owner == Owner::Global {
            return None;
        }
        let blocks = self.blocks();
        let info = self.frame(frame)?;
        let mut briefs = self.code().briefs();
        if info.unit == unit {
            match owner {
                Owner::Function(function) if function == info.function => return Some(info.frame),
                Owner::Block(block) => {
                    let site = SiteId(unit.0 + block.0);
                    if briefs.find(site).is_some_and(|(_, brief)| brief.function == info.function) {
                        return self.last_block(info.frame, at, site);
                    }
                }
                _ => {}
            }
        }
        let scope = if info.is_block { self.frame(info.frame)?.scope? } else { info.scope? };
        find_instance(scope, unit, owner, &mut |id| blocks.scope(id), &mut briefs)
    }

    /// The event at which an object first appears with its contents: a literal, a look, the start of its construction, the
    /// birth of a function.
    pub fn birth(&self, object: ObjectId) -> Option<Step> {
        let target = Target::Object(object);
        let query = Query::new(self, target);
        let blocks = self.blocks();
        let mut briefs = self.code().briefs();
        for number in blocks.birth(BirthPlace::Object(object))?..blocks.len() {
            if !blocks.may_hold(number, &query) {
                continue;
            }
            let block = blocks.load(number);
            let mut within = query.within(&block, 0..block.len(), &mut briefs);
            let found = within.find(|index| is_birth(&block.event(*index), object, &mut briefs));
            if let Some(index) = found {
                return step(block.event(index), &mut briefs);
            }
        }
        None
    }

    /// The event that ended a frame, behind the block in which it was entered.
    fn left_later(&self, id: FrameId, enter: SiteId, entered_in: usize) -> Option<EventId> {
        let blocks = self.blocks();
        let token = Fact::Left(id).token();
        let has_token = |number: usize| blocks.details(number).is_none_or(|details| details.has_token(token));
        // A frame that waits, and so is on no stack, comes back before it ends.
        let returns = blocks.sites_in_function_of(enter, returns_to_frame);
        let returns_in = |number: usize| returns.as_ref().is_none_or(|sites| blocks.has_any(number, sites));
        // Where it is on the stack at the start of a block. A block at whose end it is still there did not end it.
        let mut depth = None;
        for number in entered_in + 1..blocks.len() {
            // It was not there at the start of the block before, so it is none that this one shares with that.
            depth = depth.or_else(|| blocks.depth_beyond_shared(number, id));
            let after = depth.and_then(|depth| blocks.depth_after(number, id, depth));
            if after.is_none()
                && (depth.is_some() || returns_in(number))
                && has_token(number)
                && let Some(event) = blocks.load(number).left(id, 0)
            {
                return Some(event);
            }
            depth = after;
        }
        None
    }

    fn last_block(&self, frame: FrameId, at: EventId, site: SiteId) -> Option<FrameId> {
        let step = self.last(&Target::SitesInFrame(frame, &[site]), at)?;
        let blocks = self.blocks();
        let block = blocks.load(blocks.of_event_or_earlier(step.id)?);
        block.entered_at(step.id)
    }
}

fn returns_to_frame(kind: SiteKind) -> bool {
    matches!(kind, SiteKind::Resume | SiteKind::LateResume | SiteKind::Catch | SiteKind::Finally)
}
