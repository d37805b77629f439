//! Going through all events fast: block after block on several threads, nothing allocated for an event.

use std::sync::atomic::{AtomicUsize, Ordering};

use event_encoding::{EventStart, EventView, RecordView, StoredEvent, event_start};
use trace_model::{EventId, SiteId, cancel};

use crate::brief::SiteBrief;
use crate::code::BriefLookup;
use crate::{ProcessCode, Thread};

/// The events of a block, as views.
#[derive(Clone, Copy)]
pub struct ScannedBlock<'a> {
    first: EventId,
    words: &'a [u32],
    code: &'a ProcessCode,
}

impl<'a> ScannedBlock<'a> {
    /// The number of each event, and its site with what is known of it; `None` for a record.
    pub fn headers(self) -> impl Iterator<Item = (EventId, Option<(SiteId, &'a SiteBrief)>)> {
        self.walk(|words, briefs| match event_start(words)? {
            EventStart::Site(site) => {
                let (_, brief) = briefs.find(site)?;
                let stored = StoredEvent::of_site(words, usize::MAX, brief.shape).ok()??;
                Some((Some((site, brief)), stored.n_words()))
            }
            EventStart::Record => Some((None, StoredEvent::of_record(words).ok()?.0.n_words())),
        })
    }

    pub fn events(self) -> impl Iterator<Item = (EventId, EventView<'a>)> {
        self.walk(|words, briefs| briefs.first_view(words))
    }

    /// `read` gives something for the event at the start of the words, and how many of them it takes.
    #[inline]
    fn walk<T>(
        self,
        read: impl Fn(&'a [u32], &mut BriefLookup<'a>) -> Option<(T, usize)>,
    ) -> impl Iterator<Item = (EventId, T)> {
        let mut briefs = self.code.briefs();
        let (mut words, mut id) = (self.words, self.first);
        std::iter::from_fn(move || {
            let (item, n_words) = read(words, &mut briefs)?;
            let item = (id, item);
            words = words.get(n_words..)?;
            id.0 += 1;
            Some(item)
        })
    }
}

impl Thread {
    /// Hands every block to `each`, on so many threads, each with a state of its own; gives the states. The blocks that one
    /// state sees are in order, but not one behind the other.
    pub fn scan<S: Send>(
        &self,
        n_threads: usize,
        state: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, ScannedBlock) + Sync,
    ) -> Vec<S> {
        let blocks = self.blocks();
        let next_chunk = AtomicUsize::new(0);
        let asker = cancel::current();
        let work = || {
            let mut state = state();
            let mut words = Vec::new();
            loop {
                let chunk = next_chunk.fetch_add(1, Ordering::Relaxed);
                if chunk >= self.chunks.all().len() || asker.as_ref().is_some_and(cancel::Cancel::is_cancelled) {
                    return state;
                }
                let entries = &blocks.table.entries;
                let first = entries.partition_point(|entry| entry.chunk < chunk);
                let in_chunk = entries[first..].iter().take_while(|entry| entry.chunk == chunk);
                if in_chunk.clone().next().is_none() || self.chunks.words_into(chunk, &mut words).is_err() {
                    continue;
                }
                for entry in in_chunk {
                    let words = words.get(entry.words.clone()).unwrap_or_default();
                    each(&mut state, ScannedBlock { first: EventId(entry.before.events), words, code: self.code() });
                }
            }
        };
        let states = std::thread::scope(|scope| {
            let workers: Vec<_> = (1..n_threads.max(1)).map(|_| scope.spawn(work)).collect();
            let own = work();
            let others = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(own).chain(others).collect()
        });
        cancel::check();
        states
    }

    /// Whether the thread ever recorded a string of this text.
    pub fn had_string(&self, text: &str) -> bool {
        let look = |found: &mut bool, block: ScannedBlock| {
            let is_it =
                |event: EventView| matches!(event, EventView::Record(RecordView::String(own)) if own.text() == text);
            *found = *found || block.events().any(|(_, event)| is_it(event));
        };
        self.scan(2, || false, look).contains(&true) || self.blocks().preamble_had(text)
    }
}
