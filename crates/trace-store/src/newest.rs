//! Where the newest events of some sites are: the index tells without unpacking anything, so what is long past need not be read.

use std::collections::HashMap;
use std::ops::Range;

use trace_model::{EventId, FrameId, SiteId};

use crate::Thread;

/// The blocks of a stretch that hold the newest events of some sites, and what is known of the others.
pub struct NewestBlocks {
    pub(crate) range: Range<EventId>,
    pub(crate) numbers: Vec<usize>,
    since: HashMap<SiteId, EventId>,
    n_left_out: HashMap<SiteId, u64>,
}

impl NewestBlocks {
    /// From when on all events of a site are in the blocks; `None`: all that there are.
    pub fn since(&self, site: SiteId) -> Option<EventId> {
        self.since.get(&site).copied()
    }

    /// How many events of a site are in none of the blocks.
    pub fn n_left_out(&self, site: SiteId) -> u64 {
        self.n_left_out.get(&site).copied().unwrap_or(0)
    }
}

impl Thread {
    /// The blocks that hold one of the newest `n_each` events of a wanted site, or the beginning of one of the frames.
    pub fn newest_blocks(
        &self,
        range: Range<EventId>,
        n_each: u64,
        is_wanted: impl Fn(SiteId) -> bool,
        frames: impl Iterator<Item = FrameId>,
    ) -> NewestBlocks {
        let blocks = self.blocks();
        let mut newest = NewestBlocks { range, numbers: Vec::new(), since: HashMap::new(), n_left_out: HashMap::new() };
        let Some(first) = blocks.of_event_or_later(newest.range.start) else { return newest };
        let mut of_frames: Vec<usize> = frames.filter_map(|frame| blocks.of_frame(frame)).collect();
        of_frames.sort_unstable();
        let mut n_newer: HashMap<SiteId, u64> = HashMap::new();
        for number in (first..blocks.len()).rev() {
            let (start, end) = blocks.events(number);
            if start >= newest.range.end.0 {
                continue;
            }
            let is_whole = newest.range.start.0 <= start && end <= newest.range.end.0;
            let Some(outline) = blocks.outline(number).filter(|_| is_whole) else {
                newest.numbers.push(number);
                continue;
            };
            let has_enough = |site: SiteId| n_newer.get(&site).is_some_and(|n| *n >= n_each);
            let mut wanted = outline.sites().filter(|(site, _)| is_wanted(*site));
            if of_frames.binary_search(&number).is_ok() || !wanted.all(|(site, _)| has_enough(site)) {
                newest.numbers.push(number);
                for (site, n) in outline.sites().filter(|(site, _)| is_wanted(*site)) {
                    *n_newer.entry(site).or_default() += u64::from(n);
                }
                continue;
            }
            for (site, n) in outline.sites() {
                newest.since.entry(site).or_insert(EventId(end));
                *newest.n_left_out.entry(site).or_default() += u64::from(n);
            }
        }
        newest.numbers.reverse();
        newest
    }
}
