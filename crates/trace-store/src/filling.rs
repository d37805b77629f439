//! The trace file of a thread and its outlines, both written as its chunks come in.

use std::path::Path;

use event_encoding::{Counts, Shapes, event_start};
use trace_format::{
    FormatError, IndexWriter, OpenFrame, PartOfChunk, SEGMENT_WORDS, ScopeRecord, SegmentEntry, TRACE_FILE_HEADER,
    TraceInfo, TraceWriter,
};
use trace_model::{FrameId, StringId};

use crate::brief::Briefs;
use crate::indexer::{Indexed, Indexer};
use crate::key::KeyHash;
use crate::replay::Past;

/// Takes the chunks of one thread, in order.
pub struct TraceFiller {
    writer: TraceWriter,
    /// `None` once events came that cannot be read: who opens the run makes do without what is missing.
    index: Option<Index>,
    segment_words: usize,
}

struct Index {
    indexer: Indexer,
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
        let index = Index { indexer: Indexer::new().outlining(), files };
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
            let indexed = index.indexer.index(&words[at..], self.segment_words, sites, &mut NoPast);
            let is_read = indexed.is_ok();
            let indexed = indexed.ok().flatten();
            // Words that cannot be read are kept: a reader may know more than we do.
            let end = match &indexed {
                Some(indexed) => at + indexed.n_words,
                None if is_read => at,
                None => words.len(),
            };
            let is_last = event_start(&words[end..]).is_none();
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

    /// Drops the oldest segments, until the trace file and its index have about so many bytes or one segment is left. Strings and scopes
    /// of what is dropped stay.
    pub fn drop_oldest(&mut self, bytes: u64, sites: &mut impl Shapes) -> Result<(), FormatError> {
        self.drop_to(bytes, sites)?;
        // How much stays of what was dropped is known only now.
        let too_many = self.size().saturating_sub(bytes);
        if too_many > bytes / 32 { self.drop_to(bytes.saturating_sub(too_many), sites) } else { Ok(()) }
    }

    fn drop_to(&mut self, bytes: u64, sites: &mut impl Shapes) -> Result<(), FormatError> {
        let files = self.index.as_ref().and_then(|index| index.files.as_ref());
        let of_trace = files.map_or(bytes, |files| TRACE_FILE_HEADER as u64 + files.part_of_trace(bytes));
        let dropped = self.writer.drop_oldest(of_trace, sites)?;
        if let (Some(index), Some(dropped)) = (&mut self.index, dropped) {
            let is_written = index.files.as_mut().is_some_and(|files| files.drop_oldest(&dropped).is_ok());
            if !is_written {
                index.files = None;
            }
        }
        Ok(())
    }

    /// Length of the trace file and its index in bytes.
    pub fn size(&self) -> u64 {
        let files = self.index.as_ref().and_then(|index| index.files.as_ref());
        self.writer.length() + files.map_or(0, IndexWriter::length)
    }

    /// What the file holds so far, with what was dropped; `None` if it could not be counted.
    pub fn counts(&self) -> Option<Counts> {
        self.writer.counts()
    }
}

impl Index {
    fn add(&mut self, segment: SegmentEntry, indexed: &Indexed) {
        let counts = (indexed.before, indexed.after);
        let written = self.files.as_mut().map(|files| files.append(segment, counts, indexed.objects, &indexed.details));
        if written.is_some_and(|written| written.is_err()) {
            self.files = None;
        }
    }
}

/// Who outlines from the first event on needs to be told nothing: the stack itself knows all frames that wait.
struct NoPast;

impl Past for NoPast {
    fn scope(&mut self, _: FrameId) -> Option<ScopeRecord> {
        None
    }

    fn key(&mut self, _: StringId) -> Option<KeyHash> {
        None
    }

    fn may_be_numeral(&mut self, _: StringId) -> bool {
        true
    }

    fn suspended(&mut self, _: FrameId) -> Option<OpenFrame> {
        None
    }
}
