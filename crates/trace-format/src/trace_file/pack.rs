//! A chunk of the ring made into segments. It can be done on any thread: only when a chunk is written to the file need it be known
//! what came before it.

use std::io;

use super::reader::checksum;
use super::{LAST_PART, NOT_COUNTED, SEGMENT_HEADER, SEGMENT_MAGIC, SegmentEntry};
use event_encoding::{Counts, DecodeError};

/// Which part of which chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartOfChunk {
    pub sequence: u32,
    pub part: u32,
    pub is_last: bool,
}

/// Makes segments; keeps what that takes.
pub struct Packer {
    pub(super) compressor: zstd::bulk::Compressor<'static>,
    /// Whether the last part hardly got smaller.
    is_dense: bool,
    /// Room for a compressed part, which is not asked for again and again.
    room: Vec<u8>,
    outline: Vec<u32>,
}

/// The fastest level for most words: what is faster still packs them far worse, and takes as long.
const LEVEL: i32 = 1;
/// That of words that hardly get smaller.
const DENSE_LEVEL: i32 = -5;
/// In bytes.
const LARGE: usize = 1 << 16;

/// How a part of a chunk is passed: see [`Packer::pack`].
pub trait PartReader {
    /// Passes and counts the events at the start of the words, as many as fit into so many words but one at least, and gives how many they
    /// take. `outline` gets what is found out of them, as the words of a [`crate::RelativeOutline`], or stays empty.
    fn pass(
        &mut self,
        words: &[u32],
        room: usize,
        counts: &mut Counts,
        outline: &mut Vec<u32>,
    ) -> Result<usize, DecodeError>;
}

/// The segments of a chunk.
pub struct PackedChunk {
    pub(super) sequence: u32,
    parts: Vec<PackedPart>,
    bytes: Vec<u8>,
    /// What it holds; `None` if it could not be counted.
    n: Option<Counts>,
}

struct PackedPart {
    part: PartOfChunk,
    n_words: usize,
    /// What came before it in the chunk.
    before: Counts,
    /// The end of its compressed words, and of its outline behind them.
    end_of_words: usize,
    end: usize,
}

impl Packer {
    pub fn new() -> io::Result<Packer> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(Packer { compressor, is_dense: false, room: Vec::new(), outline: Vec::new() })
    }

    /// Packs a chunk in parts of at most so many words. What follows its last event, which is zeros, is left out.
    pub fn pack(
        &mut self,
        sequence: u32,
        words: &[u32],
        part_words: usize,
        reader: &mut impl PartReader,
    ) -> io::Result<PackedChunk> {
        let mut chunk = PackedChunk { sequence, parts: Vec::new(), bytes: Vec::new(), n: Some(Counts::default()) };
        let mut left = words;
        for part in 0.. {
            let before = chunk.n.unwrap_or_default();
            let mut after = before;
            // Words that cannot be counted are kept: a reader may know more than we do.
            self.outline.clear();
            let n_words = reader.pass(left, part_words, &mut after, &mut self.outline).unwrap_or_else(|_| {
                chunk.n = None;
                left.len()
            });
            let (own, rest) = left.split_at(n_words);
            let is_last = rest.first().is_none_or(|header| *header == 0);
            let part = PartOfChunk { sequence, part, is_last };
            self.compress(own, &mut chunk.bytes)?;
            let end_of_words = chunk.bytes.len();
            if !self.outline.is_empty() {
                let outline = std::mem::take(&mut self.outline);
                self.compress(&outline, &mut chunk.bytes)?;
                self.outline = outline;
            }
            let end = chunk.bytes.len();
            chunk.parts.push(PackedPart { part, n_words, before, end_of_words, end });
            if chunk.n.is_some() {
                chunk.n = Some(after);
            }
            if is_last {
                break;
            }
            left = rest;
        }
        Ok(chunk)
    }

    /// Words that hardly get smaller, such as numbers that a program computes, are not worth the time that looking for better matches takes.
    fn choose_level(&mut self, n_plain: usize, n_compressed: usize) -> io::Result<()> {
        let is_dense = n_compressed * 10 > n_plain * 3;
        // An outline says nothing about the words.
        if is_dense != self.is_dense && n_plain >= LARGE {
            self.is_dense = is_dense;
            self.compressor.set_compression_level(if is_dense { DENSE_LEVEL } else { LEVEL })?;
        }
        Ok(())
    }

    fn compress(&mut self, words: &[u32], bytes: &mut Vec<u8>) -> io::Result<()> {
        let plain: &[u8] = bytemuck::cast_slice(words);
        let bound = zstd::zstd_safe::compress_bound(plain.len());
        if self.room.len() < bound {
            self.room.resize(bound, 0);
        }
        let n_compressed = self.compressor.compress_to_buffer(plain, &mut self.room[..])?;
        self.choose_level(plain.len(), n_compressed)?;
        bytes.extend_from_slice(&self.room[..n_compressed]);
        Ok(())
    }
}

impl PackedChunk {
    /// The segments, where there was so much before; gives what there is behind them.
    pub(super) fn segments_behind(&self, before: Option<Counts>, segments: &mut Vec<u8>) -> Option<Counts> {
        let mut start = 0;
        for part in &self.parts {
            let data = &self.bytes[start..part.end];
            let at = segments.len();
            segments.resize(at + SEGMENT_HEADER, 0);
            segments.extend_from_slice(data);
            let n_outline = part.end - part.end_of_words;
            let before = before.map(|all| all.and(part.before));
            write_header(part.part, (part.n_words, n_outline), before, &mut segments[at..]);
            start = part.end;
        }
        before.zip(self.n).map(|(before, own)| before.and(own))
    }
}

/// Writes the segment into `segment`, whatever that held.
pub(super) fn segment_bytes(
    compressor: &mut zstd::bulk::Compressor,
    part: PartOfChunk,
    words: &[u32],
    before: Option<Counts>,
    segment: &mut Vec<u8>,
) -> io::Result<SegmentEntry> {
    let plain: &[u8] = bytemuck::cast_slice(words);
    segment.resize(SEGMENT_HEADER + zstd::zstd_safe::compress_bound(plain.len()), 0);
    let n_compressed = compressor.compress_to_buffer(plain, &mut segment[SEGMENT_HEADER..])?;
    segment.truncate(SEGMENT_HEADER + n_compressed);
    let crc = write_header(part, (words.len(), 0), before, segment);
    let PartOfChunk { sequence, part, is_last } = part;
    let (n_words, n_compressed) = (words.len() as u32, n_compressed as u32);
    Ok(SegmentEntry { offset: 0, sequence, part, is_last, n_words, before, n_compressed, n_outline: 0, crc })
}

/// Fills the header of a segment that is whole but for it; gives its checksum.
fn write_header(
    part: PartOfChunk,
    (n_words, n_outline): (usize, usize),
    before: Option<Counts>,
    segment: &mut [u8],
) -> u32 {
    let n_compressed = (segment.len() - SEGMENT_HEADER - n_outline) as u32;
    let counts = before.unwrap_or(Counts { events: NOT_COUNTED, ..Counts::default() });
    let PartOfChunk { sequence, part, is_last } = part;
    let part_word = part | if is_last { LAST_PART } else { 0 };
    let mut header = Vec::with_capacity(SEGMENT_HEADER);
    header.extend_from_slice(SEGMENT_MAGIC);
    header.extend_from_slice(&[0; 4]);
    for word in [sequence, part_word, n_words as u32, n_compressed, n_outline as u32] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    for word in [counts.frames, counts.strings, counts.symbols] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    header.extend_from_slice(&counts.events.to_le_bytes());
    segment[..SEGMENT_HEADER].copy_from_slice(&header);
    let crc = checksum(segment);
    segment[4..8].copy_from_slice(&crc.to_le_bytes());
    crc
}

// The file is little-endian, and so is memory on every machine that Node runs on.
const _: () = assert!(cfg!(target_endian = "little"));
