use super::{
    CHECKED_FROM, FILE_HEADER, LAST_PART, MAGIC, NOT_COUNTED, SEGMENT_HEADER, SEGMENT_MAGIC, SegmentEntry, TraceInfo,
};
use crate::FormatError;
use crate::error::check_version;
use crate::relative::RelativeOutline;
use event_encoding::Counts;

/// The header of a trace file; `bytes` is the whole file, `file` its name for messages.
pub fn read_trace_info(bytes: &[u8], file: &str) -> Result<TraceInfo, FormatError> {
    if bytes.len() < FILE_HEADER || &bytes[..8] != MAGIC {
        return Err(FormatError::NotOurs { file: file.into(), expected: "trace" });
    }
    check_version(file, word(bytes, 8))?;
    Ok(TraceInfo { pid: word(bytes, 12), thread: word(bytes, 16), start: wide(bytes, 24) })
}

/// How often old segments were dropped from the file: it is then another one.
pub fn read_generation(bytes: &[u8]) -> u32 {
    if bytes.len() < FILE_HEADER { 0 } else { word(bytes, 20) }
}

/// All segments of a trace file, and a sentence for each stretch of it that is not a segment.
pub fn index_segments(bytes: &[u8], file: &str) -> (Vec<SegmentEntry>, Vec<String>) {
    index_segments_from(bytes, FILE_HEADER, file)
}

/// As [`index_segments`], behind those that are known.
pub fn index_segments_from(bytes: &[u8], start: usize, file: &str) -> (Vec<SegmentEntry>, Vec<String>) {
    let mut segments: Vec<SegmentEntry> = Vec::new();
    let mut notes = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        if let Some(segment) = segment_at(bytes, at) {
            at = segment.end();
            segments.push(segment);
            continue;
        }
        // The length of the segment before may be what is wrong: then the search must start inside it.
        let damage_start = match segments.pop_if(|last| last.end() == at && !is_intact(bytes, last)) {
            Some(damaged) => damaged.offset,
            None => at,
        };
        match (damage_start + 1..bytes.len()).find_map(|at| intact_segment_at(bytes, at)) {
            Some(next) => {
                notes.push(format!("{file} is damaged from byte {damage_start} to byte {}", next.offset));
                at = next.offset;
            }
            None => {
                let lost = bytes.len() - damage_start;
                notes.push(format!("{file} ends inside a segment: its last {lost} bytes cannot be read"));
                at = bytes.len();
            }
        }
    }
    (segments, notes)
}

/// The words of a segment.
pub fn read_segment(bytes: &[u8], segment: &SegmentEntry, file: &str) -> Result<Vec<u32>, FormatError> {
    let mut words = Vec::new();
    read_segment_into(bytes, segment, file, &mut words)?;
    Ok(words)
}

/// As [`read_segment`], into memory that is used again.
pub fn read_segment_into(
    bytes: &[u8],
    segment: &SegmentEntry,
    file: &str,
    words: &mut Vec<u32>,
) -> Result<(), FormatError> {
    let damaged = || {
        let SegmentEntry { offset, sequence, .. } = segment;
        FormatError::damaged(file, format!("segment {sequence} at byte {offset} cannot be read"))
    };
    if !is_intact(bytes, segment) {
        return Err(damaged());
    }
    let compressed = &bytes[segment.data()..segment.outline()];
    words.resize(segment.n_words as usize, 0);
    let length =
        zstd::bulk::decompress_to_buffer(compressed, bytemuck::cast_slice_mut(words)).map_err(|_| damaged())?;
    if length != segment.n_words as usize * 4 {
        return Err(damaged());
    }
    Ok(())
}

/// What was found out of a segment alone when it was packed; `None` if there is none, or it is damaged.
pub fn read_outline(bytes: &[u8], segment: &SegmentEntry) -> Option<RelativeOutline> {
    if !segment.has_outline() || !is_intact(bytes, segment) {
        return None;
    }
    let compressed = &bytes[segment.outline()..segment.end()];
    let length = zstd::zstd_safe::get_frame_content_size(compressed).ok()??;
    let is_possible = |length: &usize| *length <= MOST_OUTLINE && may_unpack_into(compressed.len(), *length);
    let mut words = vec![0; usize::try_from(length).ok().filter(is_possible)? / 4];
    zstd::bulk::decompress_to_buffer(compressed, bytemuck::cast_slice_mut(&mut words)).ok()?;
    RelativeOutline::read(&words)
}

/// Far more bytes than any outline has.
const MOST_OUTLINE: usize = 1 << 30;

pub(super) fn checksum(segment: &[u8]) -> u32 {
    crc32fast::hash(&segment[CHECKED_FROM..])
}

pub(super) fn is_intact(bytes: &[u8], segment: &SegmentEntry) -> bool {
    bytes.get(segment.offset..segment.end()).is_some_and(|segment_bytes| checksum(segment_bytes) == segment.crc)
}

fn intact_segment_at(bytes: &[u8], at: usize) -> Option<SegmentEntry> {
    segment_at(bytes, at).filter(|segment| is_intact(bytes, segment))
}

/// What looks like a segment and fits into the file.
fn segment_at(bytes: &[u8], at: usize) -> Option<SegmentEntry> {
    let header = bytes.get(at..at + SEGMENT_HEADER)?;
    if !header.starts_with(SEGMENT_MAGIC) {
        return None;
    }
    let part = word(header, 12);
    let counts = Counts {
        frames: word(header, 28),
        strings: word(header, 32),
        symbols: word(header, 36),
        events: wide(header, 40),
    };
    let segment = SegmentEntry {
        offset: at,
        crc: word(header, 4),
        sequence: word(header, 8),
        part: part & !LAST_PART,
        is_last: part & LAST_PART != 0,
        n_words: word(header, 16),
        n_compressed: word(header, 20),
        n_outline: word(header, 24),
        before: (counts.events != NOT_COUNTED).then_some(counts),
    };
    let is_possible =
        segment.n_words <= MOST_WORDS && may_unpack_into(segment.n_compressed as usize, segment.n_words as usize * 4);
    (segment.end() <= bytes.len() && is_possible).then_some(segment)
}

/// Whether so many compressed bytes can be so many others. A block of zstd takes four bytes at least and holds 128 KB at most, so a short
/// text that claims to be a long one is none, and no memory is taken for it.
fn may_unpack_into(n_compressed: usize, n_bytes: usize) -> bool {
    n_bytes / (128 << 10) <= n_compressed / 4
}

/// Half a gigabyte: a hundred times what a chunk holds. A segment that claims more is not one of ours, and memory is taken for what it claims.
const MOST_WORDS: u32 = 1 << 27;

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn wide(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at + 4)) << 32 | u64::from(word(bytes, at))
}
