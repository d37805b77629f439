//! A thread from far away: what happened in each part of it, as far as the index tells. Blocks are read only where so few are looked
//! at that a part is less than a block.

use std::ops::Range;

use event_encoding::RecordView;
use rustc_hash::FxHashMap;
use trace_format::OpenFrame;
use trace_model::{EventId, FrameId, FunctionIndex, SiteId, SiteKind, cancel};

use crate::Thread;
use crate::block::BlockEvent;
use crate::code::BriefLookup;
use crate::fact::Fact;

/// What happened in a part of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stretch {
    pub events: Range<EventId>,
    pub n_calls: u64,
    /// Exceptions that were thrown by a statement of the program.
    pub n_throws: u64,
    /// Whether something was printed, and whether an exception left the program.
    pub prints: bool,
    pub fails: bool,
    /// The frames that were open at its start, outermost first, each with its function.
    pub stack: Vec<(FrameId, FunctionOf)>,
    /// The function that has most of its events.
    pub busiest: Option<FunctionOf>,
}

/// A function, with the first site of its code.
pub type FunctionOf = (SiteId, FunctionIndex);

impl Thread {
    /// The events of a range in about so many parts.
    pub fn overview(&self, range: Range<EventId>, n_parts: usize) -> Vec<Stretch> {
        let blocks = self.blocks();
        let Some(first) = blocks.of_event_or_later(range.start) else { return Vec::new() };
        let numbers: Vec<usize> = (first..blocks.len()).take_while(|at| blocks.events(*at).0 < range.end.0).collect();
        match numbers.len() {
            0..=FEW_BLOCKS => self.near(&numbers, range, n_parts.max(1)),
            n_blocks => {
                let parts = numbers.chunks(n_blocks.div_ceil(n_parts.max(1)));
                parts.map(|part| self.far(part, &range)).collect()
            }
        }
    }

    /// Parts of blocks, which are read.
    fn near(&self, numbers: &[usize], range: Range<EventId>, n_parts: usize) -> Vec<Stretch> {
        let blocks = self.blocks();
        let first = numbers.first().map_or(range.start.0, |first| blocks.events(*first).0).max(range.start.0);
        let end = numbers.last().map_or(range.end.0, |last| blocks.events(*last).1).min(range.end.0);
        let size = end.saturating_sub(first).div_ceil(n_parts as u64).max(1);
        let mut parts: Vec<Part> = Vec::new();
        let mut briefs = self.code().briefs();
        for number in numbers {
            let block = blocks.load(*number);
            let of_block = blocks.events(*number).0.max(first)..blocks.events(*number).1.min(end);
            let index = |id: u64| (id - block.before.events) as usize;
            let starts: Vec<u64> = of_block.clone().filter(|id| (id - first).is_multiple_of(size)).collect();
            let indexes: Vec<usize> = starts.iter().map(|id| index(*id)).collect();
            let stacks = block.stacks_at(&indexes, &mut briefs, &mut blocks.past(*number));
            let mut begun = starts.into_iter().zip(stacks).peekable();
            for id in of_block {
                if let Some((start, stack)) = begun.next_if(|(start, _)| *start == id) {
                    parts.push(Part::new(EventId(start), stack.frames()));
                }
                let Some(part) = parts.last_mut() else { continue };
                part.end = EventId(id + 1);
                part.read(block.event(index(id)), &mut briefs);
            }
        }
        parts.into_iter().map(Part::into_stretch).collect()
    }

    /// Whole blocks, of which nothing is read but for those in which the range begins and ends.
    fn far(&self, numbers: &[usize], range: &Range<EventId>) -> Stretch {
        cancel::check();
        let blocks = self.blocks();
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        let mut part = Part::new(EventId(blocks.events(first).0.max(range.start.0)), &blocks.stack(first));
        part.end = EventId(blocks.events(last).1.min(range.end.0));
        let mut briefs = self.code().briefs();
        for number in numbers {
            let (begins, ends) = blocks.events(*number);
            if begins < range.start.0 || ends > range.end.0 {
                self.count_read(*number, range, &mut part);
                continue;
            }
            let Some(outline) = blocks.outline(*number) else { continue };
            for (site, n_events) in outline.sites() {
                if let Some((unit, brief)) = briefs.find(site) {
                    part.add((unit, brief.function), brief.kind(), u64::from(n_events));
                }
            }
            part.prints |= outline.has_token(Fact::Output.token());
            part.fails |= outline.has_token(Fact::Uncaught.token());
        }
        part.into_stretch()
    }

    /// Counts those events of a block that are in a range.
    fn count_read(&self, number: usize, range: &Range<EventId>, part: &mut Part) {
        let blocks = self.blocks();
        let block = blocks.load(number);
        let (begins, ends) = blocks.events(number);
        let mut briefs = self.code().briefs();
        for id in begins.max(range.start.0)..ends.min(range.end.0) {
            part.read(block.event((id - block.before.events) as usize), &mut briefs);
        }
    }
}

/// So few blocks are read: within the time that a person takes for none. What lies in more has so many parts that a block for each
/// shows enough.
const FEW_BLOCKS: usize = 16;

/// A part that is being counted.
struct Part {
    start: EventId,
    end: EventId,
    n_calls: u64,
    n_throws: u64,
    prints: bool,
    fails: bool,
    stack: Vec<(FrameId, FunctionOf)>,
    by_function: FxHashMap<FunctionOf, u64>,
}

impl Part {
    fn new(start: EventId, open: &[OpenFrame]) -> Part {
        Part {
            start,
            end: start,
            n_calls: 0,
            n_throws: 0,
            prints: false,
            fails: false,
            stack: open.iter().map(|frame| (frame.id, (frame.unit, frame.function))).collect(),
            by_function: FxHashMap::default(),
        }
    }

    fn add(&mut self, function: FunctionOf, kind: SiteKind, n_events: u64) {
        match kind {
            SiteKind::Enter => self.n_calls += n_events,
            SiteKind::Throw => self.n_throws += n_events,
            _ => {}
        }
        *self.by_function.entry(function).or_default() += n_events;
    }

    fn read(&mut self, event: BlockEvent, briefs: &mut BriefLookup) {
        match event.site().and_then(|site| briefs.find(site)) {
            Some((unit, brief)) => self.add((unit, brief.function), brief.kind(), 1),
            None => match event.record() {
                Some(RecordView::Output) => self.prints = true,
                Some(RecordView::Uncaught(_)) => self.fails = true,
                _ => {}
            },
        }
    }

    fn into_stretch(self) -> Stretch {
        // Of two that have as many the first of the source, so that it is the same each time.
        let busiest = self
            .by_function
            .into_iter()
            .max_by_key(|((unit, function), n_events)| (*n_events, std::cmp::Reverse((unit.0, function.0))));
        Stretch {
            events: self.start..self.end,
            n_calls: self.n_calls,
            n_throws: self.n_throws,
            prints: self.prints,
            fails: self.fails,
            stack: self.stack,
            busiest: busiest.map(|(function, _)| function),
        }
    }
}
