//! The trace file of one thread: what was taken out of its ring, in compressed segments.
//!
//! Each segment says how many events, frames, strings and symbols came before it. So a reader can start at any segment, and
//! one damaged segment costs only its own events.

mod reader;
mod writer;

use crate::words::Counts;

pub use reader::{index_segments, read_segment, read_trace_info};
pub use writer::TraceWriter;

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
    pub sequence: u32,
    pub n_words: u32,
    /// What came before it; `None` if the writer could not count, for want of a site table.
    pub before: Option<Counts>,
    n_compressed: u32,
    crc: u32,
}

impl SegmentEntry {
    pub fn end(&self) -> usize {
        self.offset + SEGMENT_HEADER + self.n_compressed as usize
    }
}

const MAGIC: &[u8; 8] = b"WFTRACE\0";
const FILE_HEADER: usize = 32;
const SEGMENT_MAGIC: &[u8; 4] = b"SEG1";
const SEGMENT_HEADER: usize = 40;
/// The checksum covers the header from here on, and the compressed bytes.
const CHECKED_FROM: usize = 8;
const NOT_COUNTED: u64 = u64::MAX;

#[cfg(test)]
mod tests;
