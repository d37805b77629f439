//! The trace file of one thread: what was taken out of its ring, in compressed segments.
//!
//! A chunk of the ring becomes a few segments, its parts. Each says how many events, frames, strings and symbols came before
//! it. So a reader can start at any segment, and one damaged segment costs only its own events.

mod pack;
mod reader;
mod writer;

use event_encoding::Counts;

pub use pack::{PackedChunk, Packer, PartOfChunk, PartReader};
pub use reader::{
    index_segments, index_segments_from, read_generation, read_outline, read_segment, read_segment_into,
    read_trace_info,
};
pub use writer::{Dropped, TraceWriter};

/// Segments have at most so many words, but for one that is a single event: finding a few of them costs little to unpack.
pub const SEGMENT_WORDS: usize = 1 << 16;

/// Sequence number of a first segment that holds only the strings and symbols of segments that were dropped.
pub const PREAMBLE: u32 = u32::MAX;

/// Whose events a trace file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceInfo {
    pub pid: u32,
    pub thread: u32,
    /// Microseconds since 1970.
    pub start: u64,
}

/// Where a segment is in its file, and what its header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentEntry {
    pub offset: usize,
    /// Of the chunk.
    pub sequence: u32,
    /// Which part of the chunk it is, from 0.
    pub part: u32,
    /// Whether it is the last part of the chunk.
    pub is_last: bool,
    pub n_words: u32,
    /// What came before it; `None` if the writer could not count, for want of a site table.
    pub before: Option<Counts>,
    pub(crate) n_compressed: u32,
    /// Bytes of its outline, behind its words; 0: it has none.
    pub(crate) n_outline: u32,
    pub(crate) crc: u32,
}

impl SegmentEntry {
    /// Where its compressed words start.
    pub fn data(&self) -> usize {
        self.offset + SEGMENT_HEADER
    }

    /// Where its outline starts.
    pub(crate) fn outline(&self) -> usize {
        self.data() + self.n_compressed as usize
    }

    pub fn has_outline(&self) -> bool {
        self.n_outline > 0
    }

    pub fn end(&self) -> usize {
        self.outline() + self.n_outline as usize
    }
}

const MAGIC: &[u8; 8] = b"WFTRACE\0";
/// Bytes before the first segment.
pub const TRACE_FILE_HEADER: usize = 32;
const FILE_HEADER: usize = TRACE_FILE_HEADER;
const SEGMENT_MAGIC: &[u8; 4] = b"SEG3";
const SEGMENT_HEADER: usize = 48;
/// In the number of a part.
const LAST_PART: u32 = 1 << 31;
/// The checksum covers the header from here on, and the compressed bytes.
const CHECKED_FROM: usize = 8;
const NOT_COUNTED: u64 = u64::MAX;

#[cfg(test)]
mod tests;
