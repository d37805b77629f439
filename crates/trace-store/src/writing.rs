//! Writes the index of a thread whose trace is whole. It is made aside and then put in place: who reads meanwhile sees none of it
//! or all of it, and whoever is killed at it leaves the run as it was. Two that make it at the same time make the same.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use trace_format::{DetailsView, IndexWriter, private};

use crate::blocks::{BlockEntry, Blocks, Details};
use crate::{Run, Thread};

impl Run {
    /// How many bytes of trace files are not in an index yet; 0 where nothing can be written: while a run is recorded.
    pub fn not_indexed(&self) -> u64 {
        if self.is_being_recorded() {
            return 0;
        }
        self.threads().iter().map(|thread| thread.chunks.not_indexed()).sum()
    }

    /// Whether somebody makes its index.
    pub fn is_being_indexed(&self) -> bool {
        let Ok(lock) = File::open(self.folder().join(INDEX_LOCK)) else { return false };
        matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Makes the index of all threads where it is missing. `progress` is told how much of how much is done.
    pub fn write_index(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> io::Result<()> {
        if self.is_being_recorded() {
            return Ok(());
        }
        let missing = || self.threads().iter().filter(|thread| thread.chunks.not_indexed() > 0);
        if missing().next().is_none() {
            return Ok(());
        }
        let lock = private::create(&self.folder().join(INDEX_LOCK))?;
        // Whoever is at it will have made it soon.
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(());
        }
        missing().try_for_each(|thread| thread.write_index(self.folder(), progress))
    }
}

/// In the folder of a run: locked by whoever writes its index.
const INDEX_LOCK: &str = "index.lock";

impl Thread {
    fn write_index(&self, run: &Path, progress: &(dyn Fn(usize, usize) + Sync)) -> io::Result<()> {
        // Following is about a third of the work.
        let all = self.chunks.all().len() * 3;
        self.prepare(&|done, _| progress(done, all));
        let blocks = self.blocks();
        let trace = run.join(format!("{}.trace", self.name()));
        let mut writer = IndexWriter::create_aside(&trace, self.start(), self.chunks.generation())?;
        if let Some(segment) = blocks.table.preamble.and_then(|chunk| self.chunks.segment(chunk)) {
            // Only who was there when the rest was dropped knows its scopes.
            let known = blocks.table.preamble.and_then(|chunk| self.chunks.index().get(chunk));
            let details = known.and_then(|known| DetailsView::new(known.find_details(self.chunks.details())?));
            let details = details.and_then(|details| details.to_details()).unwrap_or_default();
            writer.append(segment, Default::default(), (0, 0), &details)?;
        }
        let n_blocks = blocks.writable();
        for first in (0..n_blocks).step_by(BATCH) {
            let batch = first..(first + BATCH).min(n_blocks);
            progress(self.chunks.all().len() + 2 * first * self.chunks.all().len() / n_blocks.max(1), all);
            for (number, words) in batch.clone().zip(details_of(blocks, batch)) {
                let entry = &blocks.table.entries[number];
                let Some(segment) = self.chunks.segment(entry.chunk) else { break };
                writer.append_words(segment, (entry.before, entry.after), entry.objects, &words)?;
            }
        }
        writer.put_in_place()
    }
}

/// So many blocks are in memory at once.
const BATCH: usize = 256;

impl Blocks<'_> {
    /// How many blocks, from the first on, are segments of the trace file one behind the other: what an index can hold.
    fn writable(&self) -> usize {
        let n_before = usize::from(self.table.preamble.is_some());
        let is_next = |(number, entry): &(usize, &BlockEntry)| {
            let segment = self.thread.chunks.segment(entry.chunk);
            entry.chunk == n_before + number
                && segment.is_some_and(|segment| entry.words == (0..segment.n_words as usize))
        };
        self.table.entries.iter().enumerate().take_while(is_next).count()
    }
}

/// The details of some blocks, made on all cores.
fn details_of(blocks: Blocks, numbers: std::ops::Range<usize>) -> Vec<Vec<u32>> {
    let made = Mutex::new(vec![Vec::new(); numbers.len()]);
    let next = AtomicUsize::new(numbers.start);
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= numbers.end {
            return;
        }
        let words = match &blocks.table.entries[number].details {
            // Not kept: there may be more of it than fits into memory.
            Details::Outlined { facts, .. } => facts.get().cloned().unwrap_or_else(|| blocks.facts(number)),
            Details::Stored { .. } => {
                blocks.details(number).and_then(|details| details.to_details()).map_or_else(Vec::new, |details| {
                    let mut words = Vec::new();
                    details.to_words(&mut words);
                    words
                })
            }
        };
        made.lock().unwrap_or_else(PoisonError::into_inner)[number - numbers.start] = words;
    };
    std::thread::scope(|scope| {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 1..n_threads {
            scope.spawn(work);
        }
        work();
    });
    made.into_inner().unwrap_or_else(PoisonError::into_inner)
}
