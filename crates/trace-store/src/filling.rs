//! The trace file of a thread and its index, both written as its chunks come in.

use std::path::Path;

use trace_format::{
    Counts, FormatError, IndexWriter, PartOfChunk, SEGMENT_WORDS, SegmentEntry, Shapes, TraceInfo, TraceWriter,
};

use crate::brief::Briefs;
use crate::indexer::{Indexed, Indexer, WholePast};

/// Takes the chunks of one thread, in order.
pub struct TraceFiller {
    writer: TraceWriter,
    /// `None` once events came that cannot be read: who opens the run makes do without what is missing.
    index: Option<Index>,
    segment_words: usize,
}

struct Index {
    indexer: Indexer,
    past: WholePast,
    /// `None` once it could not be written.
    files: Option<IndexWriter>,
}

impl TraceFiller {
    pub fn create(path: &Path, info: TraceInfo) -> Result<TraceFiller, FormatError> {
        TraceFiller::create_with(path, info, SEGMENT_WORDS)
    }

    /// With segments of another size.
    pub fn create_with(path: &Path, info: TraceInfo, segment_words: usize) -> Result<TraceFiller, FormatError> {
        let files = IndexWriter::create(path, info.start).ok();
        let index = Index { indexer: Indexer::new(), past: WholePast::default(), files };
        Ok(TraceFiller { writer: TraceWriter::create(path, info)?, index: Some(index), segment_words })
    }

    /// Appends a chunk of the ring. What follows its last event, which is zeros, is left out.
    pub fn append(
        &mut self,
        sequence: u32,
        words: &[u32],
        sites: &mut (impl Briefs + Shapes),
    ) -> Result<(), FormatError> {
        let Some(index) = &mut self.index else { return self.writer.append(sequence, words, sites) };
        let mut at = 0;
        for part in 0.. {
            let before = index.indexer.counts();
            let indexed = index.indexer.index(&words[at..], self.segment_words, sites, &mut index.past);
            let is_read = indexed.is_ok();
            let indexed = indexed.ok().flatten();
            // Words that cannot be read are kept: a reader may know more than we do.
            let end = match &indexed {
                Some(indexed) => at + indexed.n_words,
                None if is_read => at,
                None => words.len(),
            };
            let is_last = words.get(end).is_none_or(|header| *header == 0);
            let after = is_read.then(|| index.indexer.counts());
            let part = PartOfChunk { sequence, part, is_last };
            let segment = self.writer.append_part(part, &words[at..end], Some(before), after)?;
            if let Some(indexed) = indexed {
                index.add(segment, &indexed);
            } else if !is_read {
                self.index = None;
                return Ok(());
            }
            if is_last {
                break;
            }
            at = end;
        }
        Ok(())
    }

    pub fn drop_oldest(&mut self, bytes: u64, sites: &mut impl Shapes) -> Result<(), FormatError> {
        let dropped = self.writer.drop_oldest(bytes, sites)?;
        if let (Some(index), Some(dropped)) = (&mut self.index, dropped) {
            let is_written = index.files.as_mut().is_some_and(|files| files.drop_oldest(&dropped).is_ok());
            if !is_written {
                index.files = None;
            }
        }
        Ok(())
    }

    /// Length of the trace file in bytes.
    pub fn length(&self) -> u64 {
        self.writer.length()
    }

    /// What the file holds so far, with what was dropped; `None` if it could not be counted.
    pub fn counts(&self) -> Option<Counts> {
        self.writer.counts()
    }
}

impl Index {
    fn add(&mut self, segment: SegmentEntry, indexed: &Indexed) {
        self.past.add(&indexed.details.scopes, self.indexer.keys());
        let counts = (indexed.before, indexed.after);
        let written = self.files.as_mut().map(|files| files.append(segment, counts, indexed.objects, &indexed.details));
        if written.is_some_and(|written| written.is_err()) {
            self.files = None;
        }
    }
}
