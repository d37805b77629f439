//! The table of blocks of a thread, from the chunks that its files hold.
//!
//! What the recorder had no time to outline is outlined here: its events are followed once, for the counts, the stack and the scopes at
//! the start of each block. That is all that cannot be found out of a block alone. Its facts are found when a question asks for
//! them, or when the index is written (`writing.rs`).

use std::sync::OnceLock;
use std::sync::mpsc::sync_channel;

use trace_format::{DetailsView, FormatError, RelativeOutline, SEGMENT_WORDS};
use trace_model::cancel;

use crate::Thread;
use crate::blocks::{BlockEntry, BlockTable, Blocks, Details, Outline, TablePast};
use crate::chunks::Chunks;
use crate::indexer::{Indexed, Indexer};
use crate::key::KeyHash;

impl BlockTable {
    /// Follows all events that the index does not know. `progress` is told how many chunks of how many are done.
    pub fn build(thread: &Thread, progress: &dyn Fn(usize, usize)) -> BlockTable {
        let n_chunks = thread.chunks.all().len();
        let n_known = thread.chunks.index().len();
        let mut builder = Builder::new(thread);
        builder.add_known();
        if n_chunks - n_known < FEW_CHUNKS {
            for number in n_known..n_chunks {
                if !builder.add_chunk(number, Unpacked::new(&thread.chunks, number)) {
                    break;
                }
            }
            return builder.finish();
        }
        std::thread::scope(|scope| {
            // Unpacking takes a part of the time that following does.
            let (sender, unpacked) = sync_channel(N_AHEAD);
            scope.spawn(move || {
                let chunks = &thread.chunks;
                let all = (n_known..n_chunks).map(|number| (number, Unpacked::new(chunks, number)));
                // Nobody may want more of them.
                all.map_while(|unpacked| sender.send(unpacked).ok()).for_each(drop);
            });
            for (number, chunk) in unpacked {
                progress(number, n_chunks);
                if !builder.add_chunk(number, chunk) {
                    break;
                }
            }
        });
        progress(n_chunks, n_chunks);
        builder.finish()
    }
}

/// So few are not worth another thread.
const FEW_CHUNKS: usize = 16;
/// Unpacked chunks that wait to be followed.
const N_AHEAD: usize = 16;

/// What is needed of a chunk.
enum Unpacked {
    /// What was found out of it when it was packed.
    Outline(Box<RelativeOutline>),
    Words(Result<Vec<u32>, FormatError>),
}

impl Unpacked {
    fn new(chunks: &Chunks, number: usize) -> Unpacked {
        match chunks.outline(number) {
            Some(outline) => Unpacked::Outline(Box::new(outline)),
            None => Unpacked::Words(chunks.words(&chunks.all()[number])),
        }
    }
}

struct Builder<'a> {
    thread: &'a Thread,
    table: BlockTable,
    indexer: Indexer,
    /// Whether the numbers are known: not behind damage, until the next chunk that says them.
    is_counting: bool,
}

impl<'a> Builder<'a> {
    fn new(thread: &'a Thread) -> Builder<'a> {
        Builder { thread, table: BlockTable::default(), indexer: Indexer::new().outlining(), is_counting: true }
    }

    fn finish(self) -> BlockTable {
        self.table
    }

    /// Takes what the index has, and makes the indexer go on behind it.
    fn add_known(&mut self) {
        let index = self.thread.chunks.index();
        for (number, entry) in index.iter().enumerate() {
            let outline = entry.is_outline.then(|| entry.find_details(self.thread.chunks.details())).flatten();
            let keys: Vec<_> = outline.and_then(DetailsView::new).map_or(&[][..], |view| view.keys()).to_vec();
            self.table.keys.add(entry.before.strings, &keys.into_iter().map(KeyHash).collect::<Vec<_>>());
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
                details: match entry.is_outline {
                    true => Details::Outlined { outline: Outline::Stored { index: number }, facts: OnceLock::new() },
                    false => Details::Stored { index: number, anew: OnceLock::new() },
                },
            });
        }
        if let Some(last) = self.table.entries.last()
            && index.len() < self.thread.chunks.all().len()
        {
            let blocks = Blocks { thread: self.thread, table: &self.table };
            let n_blocks = blocks.len();
            let (stack, last_stack) = (blocks.stack_behind(n_blocks), blocks.stack(n_blocks - 1));
            self.indexer = Indexer::starting_at(last.after, last.objects.1, stack, last_stack).outlining();
        }
    }

    /// False if what follows cannot be numbered.
    fn add_chunk(&mut self, number: usize, unpacked: Unpacked) -> bool {
        cancel::check();
        let chunk = &self.thread.chunks.all()[number];
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
        let words = match unpacked {
            Unpacked::Outline(outline) if self.add_outline(number, &outline) => return true,
            Unpacked::Outline(_) => self.thread.chunks.words(chunk),
            Unpacked::Words(words) => words,
        };
        self.is_counting = words.is_ok_and(|words| self.add_words(number, &words));
        true
    }

    /// False if the chunk must be followed.
    fn add_outline(&mut self, number: usize, outline: &RelativeOutline) -> bool {
        let Some(segment) = self.thread.chunks.segment(number) else { return false };
        let blocks = Blocks { thread: self.thread, table: &self.table };
        let mut past = TablePast { blocks, n_before: blocks.len() };
        let n_words = segment.n_words as usize;
        let passed = self.indexer.pass_block(outline, n_words, &mut past);
        let Some((indexed, has_objects)) = passed else { return false };
        self.table.keys.add(indexed.before.strings, self.indexer.keys());
        self.table.entries.push(entry(number, n_words, &indexed, has_objects));
        true
    }

    /// False if they could not be read to their end.
    fn add_words(&mut self, chunk: usize, words: &[u32]) -> bool {
        let mut at = 0;
        loop {
            let blocks = Blocks { thread: self.thread, table: &self.table };
            let mut past = TablePast { blocks, n_before: blocks.len() };
            let mut briefs = self.thread.code().briefs();
            match self.indexer.index(&words[at..], SEGMENT_WORDS, &mut briefs, &mut past) {
                Ok(Some(indexed)) => {
                    self.table.keys.add(indexed.before.strings, self.indexer.keys());
                    at += indexed.n_words;
                    self.table.entries.push(entry(chunk, at, &indexed, false));
                }
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }
}

fn entry(chunk: usize, end: usize, indexed: &Indexed, has_objects: bool) -> BlockEntry {
    let mut outline = Vec::new();
    indexed.details.to_words(&mut outline);
    BlockEntry {
        chunk,
        words: end - indexed.n_words..end,
        before: indexed.before,
        after: indexed.after,
        objects: indexed.objects,
        details: Details::Outlined { outline: Outline::Made { words: outline, has_objects }, facts: OnceLock::new() },
    }
}
