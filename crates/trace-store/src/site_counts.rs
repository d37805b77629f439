//! How many events each site of a thread has: one pass over what is known of blocks without unpacking them.

use rustc_hash::FxHashMap;
use trace_model::{SiteId, cancel};

use crate::Thread;

/// By site; those without events are left out.
#[derive(Clone, Default, Debug)]
pub struct SiteCounts(FxHashMap<SiteId, u64>);

impl SiteCounts {
    pub fn of(&self, site: SiteId) -> u64 {
        self.0.get(&site).copied().unwrap_or_default()
    }

    fn add(&mut self, site: SiteId, n_events: u64) {
        *self.0.entry(site).or_default() += n_events;
    }
}

impl Thread {
    /// Of all events that are kept. A block is read only where nothing is known of it.
    pub fn site_counts(&self) -> SiteCounts {
        let mut counts = SiteCounts::default();
        let blocks = self.blocks();
        for number in 0..blocks.len() {
            cancel::check();
            match blocks.outline(number) {
                Some(outline) => outline.sites().for_each(|(site, n_events)| counts.add(site, u64::from(n_events))),
                None => {
                    let block = blocks.load(number);
                    let sites = (0..block.len()).filter_map(|index| block.event(index).site());
                    sites.for_each(|site| counts.add(site, 1));
                }
            }
        }
        counts
    }
}
