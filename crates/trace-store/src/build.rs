//! The table of blocks of a thread, from the chunks that its files hold.

use std::sync::OnceLock;

use trace_format::{OpenFrame, SEGMENT_WORDS, ScopeRecord};
use trace_model::{FrameId, StringId};

use crate::Thread;
use crate::blocks::{BlockEntry, BlockTable, Blocks, Details, TablePast};
use crate::indexer::{Indexed, Indexer};
use crate::key::KeyHash;
use crate::replay::Past;

impl BlockTable {
    /// Follows all events that the index does not know. `progress` is told how many chunks of how many are done.
    pub fn build(thread: &Thread, progress: &dyn Fn(usize, usize)) -> BlockTable {
        let chunks = thread.chunks.all();
        let mut builder = Builder::new(thread);
        let n_known = thread.chunks.index().len();
        builder.add_known();
        for number in n_known..chunks.len() {
            progress(number, chunks.len());
            if !builder.add_chunk(number) {
                break;
            }
        }
        progress(chunks.len(), chunks.len());
        builder.table
    }
}

struct Builder<'a> {
    thread: &'a Thread,
    table: BlockTable,
    indexer: Indexer,
    /// Whether the numbers are known: not behind damage, until the next chunk that says them.
    is_counting: bool,
    keys: Keys,
}

impl<'a> Builder<'a> {
    fn new(thread: &'a Thread) -> Builder<'a> {
        Builder {
            thread,
            table: BlockTable::default(),
            indexer: Indexer::new(),
            is_counting: true,
            keys: Keys::default(),
        }
    }

    /// Takes what the index has, and makes the indexer go on behind it.
    fn add_known(&mut self) {
        let index = self.thread.chunks.index();
        for (number, entry) in index.iter().enumerate() {
            if self.thread.chunks.all()[number].is_preamble() {
                self.table.preamble = Some(number);
                continue;
            }
            self.table.entries.push(BlockEntry {
                chunk: number,
                words: 0..entry.segment.n_words as usize,
                before: entry.before,
                after: entry.after,
                objects: entry.objects,
                details: Details::Stored { index: number, anew: OnceLock::new() },
            });
        }
        if let Some(last) = self.table.entries.last()
            && index.len() < self.thread.chunks.all().len()
        {
            let blocks = Blocks { thread: self.thread, table: &self.table };
            let n_blocks = blocks.len();
            let (stack, last_stack) = (blocks.stack_behind(n_blocks), blocks.stack(n_blocks - 1));
            self.indexer = Indexer::starting_at(last.after, last.objects.1, stack, last_stack);
        }
    }

    /// False if what follows cannot be numbered.
    fn add_chunk(&mut self, number: usize) -> bool {
        let chunks = &self.thread.chunks;
        let chunk = &chunks.all()[number];
        if chunk.is_preamble() {
            self.table.preamble = Some(number);
            return true;
        }
        if let Some(before) = chunk.before {
            if before != self.indexer.counts() {
                self.indexer.skip_to(before);
            }
            self.is_counting = true;
        }
        if !self.is_counting {
            return false;
        }
        match chunks.words(chunk) {
            Ok(words) => self.is_counting = self.add_words(number, &words),
            Err(_) => self.is_counting = false,
        }
        true
    }

    /// False if they could not be read to their end.
    fn add_words(&mut self, chunk: usize, words: &[u32]) -> bool {
        let mut at = 0;
        loop {
            let blocks = Blocks { thread: self.thread, table: &self.table };
            let mut past = BuilderPast { keys: &self.keys, table: TablePast { blocks, n_before: blocks.len() } };
            let mut briefs = self.thread.code().briefs();
            match self.indexer.index(&words[at..], SEGMENT_WORDS, &mut briefs, &mut past) {
                Ok(Some(indexed)) => {
                    self.keys.add(indexed.before.strings, self.indexer.keys());
                    at += indexed.n_words;
                    self.table.entries.push(entry(chunk, at, &indexed));
                }
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }
}

fn entry(chunk: usize, end: usize, indexed: &Indexed) -> BlockEntry {
    let mut details = Vec::new();
    indexed.details.to_words(&mut details);
    BlockEntry {
        chunk,
        words: end - indexed.n_words..end,
        before: indexed.before,
        after: indexed.after,
        objects: indexed.objects,
        details: Details::Own(details),
    }
}

/// The strings of the blocks that were followed here, as keys.
#[derive(Default)]
struct Keys {
    n_before: u32,
    keys: Vec<KeyHash>,
}

impl Keys {
    /// The strings behind so many others.
    fn add(&mut self, n_before: u32, keys: &[KeyHash]) {
        if self.n_before + self.keys.len() as u32 != n_before {
            (self.n_before, self.keys) = (n_before, Vec::new());
        }
        self.keys.extend_from_slice(keys);
    }

    fn get(&self, id: StringId) -> Option<KeyHash> {
        self.keys.get(id.0.checked_sub(self.n_before + 1)? as usize).copied()
    }
}

struct BuilderPast<'a> {
    keys: &'a Keys,
    table: TablePast<'a>,
}

impl Past for BuilderPast<'_> {
    fn scope(&mut self, id: FrameId) -> Option<ScopeRecord> {
        self.table.scope(id)
    }

    fn key(&mut self, id: StringId) -> Option<KeyHash> {
        self.keys.get(id).or_else(|| self.table.key(id))
    }

    /// Those since the index ended are known; others were suspended before.
    fn suspended(&mut self, id: FrameId) -> Option<OpenFrame> {
        self.table.suspended(id)
    }
}
