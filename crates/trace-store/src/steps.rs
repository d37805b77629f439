//! Events with the frame they are in, and the questions for events.

use std::ops::Range;
use std::sync::Arc;

use trace_model::{Event, EventId, FrameId, SiteId};

use crate::Thread;
use crate::block::{Block, BlockEvent};
use crate::code::BriefLookup;
use crate::target::{Query, Target};

/// An event with its number and the frame it is in.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub id: EventId,
    pub event: Event,
    pub frame: Option<FrameId>,
}

impl Step {
    pub fn site(&self) -> Option<SiteId> {
        match &self.event {
            Event::Site { site, .. } => Some(*site),
            Event::Record(_) => None,
        }
    }
}

impl Thread {
    pub fn step(&self, id: EventId) -> Option<Step> {
        let block = self.block_of(id)?;
        step(block.event((id.0 - block.before.events) as usize), &mut self.code().briefs())
    }

    /// The events from a number on, oldest first.
    pub fn steps_from(&self, first: EventId) -> impl Iterator<Item = Step> {
        let mut walk = Walk::new(self);
        let blocks = self.blocks();
        let mut next = first.0;
        std::iter::from_fn(move || {
            loop {
                let number = blocks.of_event_or_later(EventId(next))?;
                let block = walk.block(number)?;
                next = next.max(block.before.events);
                let index = (next - block.before.events) as usize;
                next += 1;
                if index < block.len() {
                    return walk.step(index);
                }
            }
        })
    }

    /// The events before a number, newest first.
    pub fn steps_before(&self, before: EventId) -> impl Iterator<Item = Step> {
        let mut walk = Walk::new(self);
        let blocks = self.blocks();
        let mut next = before.0;
        std::iter::from_fn(move || {
            loop {
                let number = blocks.of_event_or_earlier(EventId(next.checked_sub(1)?))?;
                let block = walk.block(number)?;
                next = next.min(block.before.events + block.len() as u64).checked_sub(1)?;
                if let Some(index) = next.checked_sub(block.before.events) {
                    return walk.step(index as usize);
                }
            }
        })
    }

    /// The newest event before this one that the target names.
    pub fn last(&self, target: &Target, before: EventId) -> Option<Step> {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let first = blocks.birth(query.birth)?;
        let mut briefs = self.code().briefs();
        let mut number = blocks.of_event_or_earlier(EventId(before.0.checked_sub(1)?))?;
        while number >= first {
            if blocks.may_hold(number, &query) {
                let block = blocks.load(number);
                let end = before.0.saturating_sub(block.before.events).min(block.len() as u64) as usize;
                let mut within = query.within(&block, 0..end, &mut briefs).rev();
                let found = within.find(|index| query.matches(self, &block.event(*index), &mut briefs));
                if let Some(index) = found {
                    return step(block.event(index), &mut briefs);
                }
            }
            number = number.checked_sub(1)?;
        }
        None
    }

    /// All events before this one that the target names, newest first.
    pub fn each_before<'a>(&'a self, target: &Target<'a>, before: EventId) -> impl Iterator<Item = Step> + 'a {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let mut briefs = self.code().briefs();
        let first = blocks.birth(query.birth);
        let newest = before.0.checked_sub(1).and_then(|last| blocks.of_event_or_earlier(EventId(last)));
        let mut numbers = first.zip(newest).map(|(first, newest)| (first..newest + 1).rev()).into_iter().flatten();
        let mut at: Option<(Arc<Block>, usize)> = None;
        std::iter::from_fn(move || {
            loop {
                if let Some((block, end)) = &mut at {
                    let mut within = query.within(block, 0..*end, &mut briefs).rev();
                    let found = within.find(|index| query.matches(self, &block.event(*index), &mut briefs));
                    if let Some(index) = found {
                        *end = index;
                        return step(block.event(index), &mut briefs);
                    }
                }
                let number = numbers.by_ref().find(|number| blocks.may_hold(*number, &query))?;
                let block = blocks.load(number);
                let end = before.0.saturating_sub(block.before.events).min(block.len() as u64) as usize;
                at = Some((block, end));
            }
        })
    }

    /// All events of a range that the target names, oldest first.
    pub fn each_within<'a>(
        &'a self,
        target: &Target<'a>,
        range: Range<EventId>,
    ) -> impl Iterator<Item = Step> + use<'a> {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let mut briefs = self.code().briefs();
        let first = blocks.birth(query.birth).zip(blocks.of_event_or_later(range.start));
        let mut numbers = first.map(|(birth, first)| birth.max(first)..blocks.len()).into_iter().flatten();
        let mut at: Option<(Arc<Block>, Range<usize>)> = None;
        std::iter::from_fn(move || {
            loop {
                if let Some((block, part)) = &mut at {
                    let mut within = query.within(block, part.clone(), &mut briefs);
                    let found = within.find(|index| query.matches(self, &block.event(*index), &mut briefs));
                    if let Some(index) = found {
                        part.start = index + 1;
                        return step(block.event(index), &mut briefs);
                    }
                }
                let number = numbers.by_ref().find(|number| blocks.may_hold(*number, &query))?;
                if blocks.events(number).0 >= range.end.0 {
                    return None;
                }
                let block = blocks.load(number);
                let [start, end] = [range.start, range.end]
                    .map(|bound| bound.0.saturating_sub(block.before.events).min(block.len() as u64) as usize);
                at = Some((block, start..end));
            }
        })
    }

    /// The oldest event from this one on that the target names.
    pub fn next(&self, target: &Target, from: EventId) -> Option<Step> {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let first = blocks.birth(query.birth)?.max(blocks.of_event_or_later(from)?);
        let mut briefs = self.code().briefs();
        for number in first..blocks.len() {
            if !blocks.may_hold(number, &query) {
                continue;
            }
            let block = blocks.load(number);
            let start = from.0.saturating_sub(block.before.events) as usize;
            let mut within = query.within(&block, start..block.len(), &mut briefs);
            let found = within.find(|index| query.matches(self, &block.event(*index), &mut briefs));
            if let Some(index) = found {
                return step(block.event(index), &mut briefs);
            }
        }
        None
    }

    /// How many events in a range the target names.
    pub fn count(&self, target: &Target, range: Range<EventId>) -> u64 {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let (Some(birth), Some(first)) = (blocks.birth(query.birth), blocks.of_event_or_later(range.start)) else {
            return 0;
        };
        let mut briefs = self.code().briefs();
        let mut n = 0;
        for number in birth.max(first)..blocks.len() {
            let (start, end) = blocks.events(number);
            if start >= range.end.0 {
                break;
            }
            if !blocks.may_hold(number, &query) {
                continue;
            }
            let is_whole = range.start.0 <= start && end <= range.end.0;
            n += match blocks.count(number, &query).filter(|_| is_whole) {
                Some(count) => count,
                None => {
                    let block = blocks.load(number);
                    let from = range.start.0.saturating_sub(start) as usize;
                    let to = (range.end.0 - start).min(block.len() as u64) as usize;
                    let is_match = |index: &usize| query.matches(self, &block.event(*index), &mut briefs);
                    (from..to).filter(is_match).count() as u64
                }
            };
        }
        n
    }

    /// The event of this number, from 0, among those that the target names.
    pub fn nth(&self, target: &Target, n: u64) -> Option<Step> {
        let query = Query::new(self, *target);
        let blocks = self.blocks();
        let mut briefs = self.code().briefs();
        let mut n_left = n;
        for number in blocks.birth(query.birth)?..blocks.len() {
            if !blocks.may_hold(number, &query) {
                continue;
            }
            if let Some(count) = blocks.count(number, &query)
                && count <= n_left
            {
                n_left -= count;
                continue;
            }
            let block = blocks.load(number);
            for index in 0..block.len() {
                if query.matches(self, &block.event(index), &mut briefs) {
                    if n_left == 0 {
                        return step(block.event(index), &mut briefs);
                    }
                    n_left -= 1;
                }
            }
        }
        None
    }

    /// Where the block of an event ends: what is behind it is asked of the index, block by block.
    pub fn end_of_block(&self, id: EventId) -> EventId {
        let blocks = self.blocks();
        blocks.of_event_or_earlier(id).map_or(self.end(), |number| EventId(blocks.events(number).1))
    }

    fn block_of(&self, id: EventId) -> Option<Arc<Block>> {
        let blocks = self.blocks();
        let number = blocks.of_event_or_earlier(id)?;
        let (start, end) = blocks.events(number);
        let block = (start..end).contains(&id.0).then(|| blocks.load(number))?;
        (id.0 - start < block.len() as u64).then_some(block)
    }
}

pub(crate) fn step(at: BlockEvent, briefs: &mut BriefLookup) -> Option<Step> {
    Some(Step { id: at.id(), event: at.decode(briefs)?, frame: at.frame })
}

/// Goes through the events of one block after the other.
struct Walk<'a> {
    thread: &'a Thread,
    briefs: BriefLookup<'a>,
    block: Option<(usize, Arc<Block>)>,
}

impl<'a> Walk<'a> {
    fn new(thread: &'a Thread) -> Walk<'a> {
        Walk { thread, briefs: thread.code().briefs(), block: None }
    }

    fn block(&mut self, number: usize) -> Option<&Block> {
        if self.block.as_ref().is_none_or(|(known, _)| *known != number) {
            self.block = Some((number, self.thread.blocks().load(number)));
        }
        self.block.as_ref().map(|(_, block)| &**block)
    }

    fn step(&mut self, index: usize) -> Option<Step> {
        let (_, block) = self.block.as_ref()?;
        step(block.event(index), &mut self.briefs)
    }
}
