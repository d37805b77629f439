//! Outlines a trace file while it grows. Whoever records has the time for it where there is a core to spare; where there is not, what is
//! missing is outlined by the first question.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use trace_format::{FormatError, IndexWriter, OpenFrame, ScopeRecord, TRACE_FILE_HEADER, index_segments_from};
use trace_format::{SegmentEntry, read_segment_into};
use trace_model::{FrameId, StringId};

use crate::brief::Briefs;
use crate::indexer::Indexer;
use crate::key::KeyHash;
use crate::replay::Past;

/// Follows the trace file of one thread of the program, from its first segment on.
pub struct TraceFollower {
    path: PathBuf,
    indexer: Indexer,
    files: IndexWriter,
    /// How far it came in the trace file.
    end: usize,
    words: Vec<u32>,
}

impl TraceFollower {
    /// `start` is that of the trace file.
    pub fn create(path: &Path, start: u64) -> io::Result<TraceFollower> {
        Ok(TraceFollower {
            path: path.into(),
            indexer: Indexer::new().outlining(),
            files: IndexWriter::create(path, start)?,
            end: TRACE_FILE_HEADER,
            words: Vec::new(),
        })
    }

    /// Outlines what the file has in its first `length` bytes, which are whole segments, for as long as it may go on. Gives whether there
    /// was anything new. After an error nothing more can be outlined; what there is stays valid.
    pub fn follow(
        &mut self,
        length: u64,
        sites: &mut impl Briefs,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<bool, FormatError> {
        if length <= self.end as u64 {
            return Ok(false);
        }
        let name = self.path.to_string_lossy().into_owned();
        let failed = |error| FormatError::Io { file: name.clone(), error };
        let file = File::open(&self.path).map_err(failed)?;
        // SAFETY: a trace file only grows while it is recorded as a whole.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        let bytes = &map[..map.len().min(length as usize)];
        let (segments, damage) = index_segments_from(bytes, self.end, &name);
        if let Some(damage) = damage.into_iter().next() {
            return Err(failed(io::Error::other(damage)));
        }
        for segment in segments.into_iter().take_while(|_| goes_on()) {
            read_segment_into(bytes, &segment, &name, &mut self.words)?;
            self.add(segment, sites).map_err(failed)?;
            self.end = segment.end();
        }
        Ok(true)
    }

    fn add(&mut self, segment: SegmentEntry, sites: &mut impl Briefs) -> io::Result<()> {
        let unreadable = || io::Error::other("there are events that cannot be read");
        if segment.before != Some(self.indexer.counts()) {
            return Err(unreadable());
        }
        let indexed = self.indexer.index(&self.words, usize::MAX, sites, &mut NoPast);
        let indexed = indexed.ok().flatten().filter(|indexed| indexed.n_words == self.words.len());
        let indexed = indexed.ok_or_else(unreadable)?;
        self.files.append(segment, (indexed.before, indexed.after), indexed.objects, &indexed.details)
    }
}

/// Who outlines from the first event on needs to be told nothing: the stack itself knows all frames that wait.
pub(crate) struct NoPast;

impl Past for NoPast {
    fn scope(&mut self, _: FrameId) -> Option<ScopeRecord> {
        None
    }

    fn key(&mut self, _: StringId) -> Option<KeyHash> {
        None
    }

    fn suspended(&mut self, _: FrameId) -> Option<OpenFrame> {
        None
    }
}
