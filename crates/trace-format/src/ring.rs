//! The event memory of one thread: a mapped file that the recorded process fills and the parent empties.
//!
//! Both sides share the pages. The thread writes a chunk's words, then its length, then its status; the parent reads the
//! status first. A chunk belongs to the thread while its status is free or being written, and to the parent while it is full.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::check_version;
use crate::{FormatError, WordPosition};

/// Number of chunks and their size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingLayout {
    pub chunk_words: u32,
    pub n_chunks: u32,
}

impl RingLayout {
    pub const HEADER_BYTES: usize = 4096;
    pub const MAX_CHUNKS: u32 = ((Self::HEADER_BYTES - CHUNK_TABLE) / CHUNK_ENTRY) as u32;

    pub fn file_bytes(self) -> usize {
        self.chunk_start(self.n_chunks)
    }

    /// Byte offset of a chunk in the file.
    pub fn chunk_start(self, chunk: u32) -> usize {
        Self::HEADER_BYTES + chunk as usize * self.chunk_words as usize * 4
    }

    /// Byte offset of a chunk's entry (status, words, sequence) in the file.
    pub fn chunk_entry(self, chunk: u32) -> usize {
        CHUNK_TABLE + chunk as usize * CHUNK_ENTRY
    }
}

/// What the header of a ring says once and for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RingInfo {
    pub pid: u32,
    pub thread: u32,
    pub layout: RingLayout,
    /// Microseconds since 1970.
    pub start: u64,
}

impl RingInfo {
    /// Fills the first [`RingLayout::HEADER_BYTES`] of a new, zeroed file. The magic comes last: a header without it is not whole.
    pub fn write(&self, header: &mut [u8], draining_parent: u32) {
        put(header, VERSION_AT, crate::VERSION);
        put(header, PID_AT, self.pid);
        put(header, THREAD_AT, self.thread);
        put(header, CHUNK_WORDS_AT, self.layout.chunk_words);
        put(header, N_CHUNKS_AT, self.layout.n_chunks);
        put(header, PARENT_AT, draining_parent);
        header[START_AT..START_AT + 8].copy_from_slice(&self.start.to_le_bytes());
        header[..MAGIC.len()].copy_from_slice(MAGIC);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChunkStatus {
    Free,
    BeingWritten,
    Full,
}

/// A mapped ring.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    words: &'a [AtomicU32],
    info: RingInfo,
}

/// More zeros than any event ends with, but for a string of as many NUL characters.
const MOST_ZEROS: usize = 1024;

impl<'a> Ring<'a> {
    /// # Safety
    /// `start` must be aligned to 4 bytes and point to `length` bytes that stay mapped, for reading (and for writing if
    /// anything is set), for the lifetime `'a`; nothing may refer to them as plain memory meanwhile.
    pub unsafe fn from_raw(start: *const u8, length: usize, file: &str) -> Result<Ring<'a>, FormatError> {
        assert!(start.cast::<AtomicU32>().is_aligned());
        // SAFETY: the caller promises that the memory is there and shared only through atomics.
        let words = unsafe { std::slice::from_raw_parts(start.cast::<AtomicU32>(), length / 4) };
        Ring::from_words(words, file)
    }

    pub fn from_words(words: &'a [AtomicU32], file: &str) -> Result<Ring<'a>, FormatError> {
        let at = |offset: usize| words[offset / 4].load(Ordering::Acquire);
        if words.len() * 4 < RingLayout::HEADER_BYTES || [at(0).to_le_bytes(), at(4).to_le_bytes()].concat() != MAGIC {
            return Err(FormatError::NotOurs { file: file.into(), expected: "ring" });
        }
        check_version(file, at(VERSION_AT))?;
        let layout = RingLayout { chunk_words: at(CHUNK_WORDS_AT), n_chunks: at(N_CHUNKS_AT) };
        if layout.n_chunks > RingLayout::MAX_CHUNKS {
            return Err(FormatError::damaged(file, format!("it claims {} chunks", layout.n_chunks)));
        }
        let start = u64::from(at(START_AT + 4)) << 32 | u64::from(at(START_AT));
        Ok(Ring { words, info: RingInfo { pid: at(PID_AT), thread: at(THREAD_AT), layout, start } })
    }

    pub fn info(&self) -> RingInfo {
        self.info
    }

    /// Whether the thread said that it ended.
    pub fn ended(&self) -> bool {
        self.at(STATE_AT).load(Ordering::Acquire) == 1
    }

    pub fn set_ended(&self) {
        self.at(STATE_AT).store(1, Ordering::Release);
    }

    pub fn stopped(&self) -> bool {
        self.at(STOP_AT).load(Ordering::Acquire) != 0
    }

    /// Tells the thread to drop its events from now on.
    pub fn set_stopped(&self) {
        self.at(STOP_AT).store(1, Ordering::Release);
    }

    pub fn draining_parent(&self) -> u32 {
        self.at(PARENT_AT).load(Ordering::Acquire)
    }

    pub fn status(&self, chunk: u32) -> ChunkStatus {
        match self.entry(chunk, STATUS).load(Ordering::Acquire) {
            0 => ChunkStatus::Free,
            1 => ChunkStatus::BeingWritten,
            _ => ChunkStatus::Full,
        }
    }

    pub fn sequence(&self, chunk: u32) -> u64 {
        let low = self.entry(chunk, SEQUENCE).load(Ordering::Acquire);
        let high = self.entry(chunk, SEQUENCE + 4).load(Ordering::Acquire);
        u64::from(high) << 32 | u64::from(low)
    }

    /// The words of a chunk: those it says it has if it is full, else all of them, with zeros behind the last event.
    /// A file that was cut gives what is left of the chunk.
    pub fn copy_chunk(&self, chunk: u32) -> Vec<u32> {
        let mut words = Vec::new();
        self.copy_chunk_into(chunk, &mut words);
        words
    }

    /// As [`Ring::copy_chunk`], into memory that is used again.
    pub fn copy_chunk_into(&self, chunk: u32, copy: &mut Vec<u32>) {
        let length = match self.status(chunk) {
            ChunkStatus::Free => 0,
            ChunkStatus::BeingWritten => self.info.layout.chunk_words,
            ChunkStatus::Full => self.entry(chunk, N_WORDS).load(Ordering::Acquire).min(self.info.layout.chunk_words),
        };
        let start = self.info.layout.chunk_start(chunk) / 4;
        let end = (start + length as usize).min(self.words.len());
        let words = self.words.get(start..end).unwrap_or(&[]);
        copy.clear();
        copy.extend(words.iter().map(|word| word.load(Ordering::Relaxed)));
    }

    /// As [`Ring::copy_chunk_into`], without most of the zeros behind the last event.
    pub fn copy_written_into(&self, chunk: u32, copy: &mut Vec<u32>) {
        let is_full = self.status(chunk) == ChunkStatus::Full;
        self.copy_chunk_into(chunk, copy);
        if !is_full {
            let end = copy.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
            copy.truncate((end + MOST_ZEROS).min(copy.len()));
        }
    }

    /// As [`Ring::copy_chunk_into`] of a full chunk, for who empties the ring, many words at a time.
    ///
    /// # Safety
    /// The chunk must be full, and nobody else may free it meanwhile.
    pub unsafe fn take_full_chunk_into(&self, chunk: u32, copy: &mut Vec<u32>) {
        let words = self.full_words(chunk);
        copy.clear();
        // SAFETY: the thread does not write to a full chunk, and the caller says that nobody else does.
        copy.extend_from_slice(unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u32>(), words.len()) });
    }

    fn full_words(&self, chunk: u32) -> &[AtomicU32] {
        let n_words = self.entry(chunk, N_WORDS).load(Ordering::Acquire).min(self.info.layout.chunk_words);
        let start = self.info.layout.chunk_start(chunk) / 4;
        let end = (start + n_words as usize).min(self.words.len());
        self.words.get(start..end).unwrap_or(&[])
    }

    /// The chunks that hold something, oldest first: the full ones, then the one being written.
    pub fn chunks_in_order(&self) -> Vec<u32> {
        let mut chunks: Vec<u32> =
            (0..self.info.layout.n_chunks).filter(|chunk| self.status(*chunk) != ChunkStatus::Free).collect();
        chunks.sort_by_key(|chunk| (self.status(*chunk) == ChunkStatus::BeingWritten, self.sequence(*chunk)));
        chunks
    }

    /// How far the thread has written, for who looks on from outside; nothing if it is just going on to the next chunk. What was seen
    /// `before` saves looking from the start of the chunk. It may be wrong by what one event ends with.
    pub fn position(&self, before: WordPosition) -> Option<WordPosition> {
        let chunk = (0..self.info.layout.n_chunks).find(|chunk| self.status(*chunk) == ChunkStatus::BeingWritten)?;
        let sequence = self.sequence(chunk) as u32;
        let start = self.info.layout.chunk_start(chunk) / 4;
        let end = (start + self.info.layout.chunk_words as usize).min(self.words.len());
        let words = self.words.get(start..end)?;
        let from = if before.sequence == sequence { before.word as usize } else { 0 };
        let word = end_of_written(words, from) as u32;
        // Behind a full chunk there is nothing to be seen: another process empties it.
        let is_same = self.status(chunk) == ChunkStatus::BeingWritten && self.sequence(chunk) as u32 == sequence;
        is_same.then_some(WordPosition { sequence, word })
    }

    /// Takes the next free chunk for writing.
    pub fn begin_chunk(&self, chunk: u32, sequence: u64) {
        self.entry(chunk, SEQUENCE).store(sequence as u32, Ordering::Relaxed);
        self.entry(chunk, SEQUENCE + 4).store((sequence >> 32) as u32, Ordering::Relaxed);
        self.entry(chunk, STATUS).store(1, Ordering::Release);
    }

    pub fn set_full(&self, chunk: u32, n_words: u32) {
        self.entry(chunk, N_WORDS).store(n_words, Ordering::Relaxed);
        self.entry(chunk, STATUS).store(2, Ordering::Release);
    }

    /// Clears a full chunk and gives it back.
    pub fn free_chunk(&self, chunk: u32) {
        for word in self.full_words(chunk) {
            word.store(0, Ordering::Relaxed);
        }
        self.entry(chunk, N_WORDS).store(0, Ordering::Relaxed);
        self.entry(chunk, STATUS).store(0, Ordering::Release);
    }

    fn at(&self, offset: usize) -> &AtomicU32 {
        &self.words[offset / 4]
    }

    fn entry(&self, chunk: u32, field: usize) -> &AtomicU32 {
        self.at(self.info.layout.chunk_entry(chunk) + field)
    }
}

/// One behind the last word that is not zero, where everything before `from` was written. Looks at a few words only.
fn end_of_written(words: &[AtomicU32], from: usize) -> usize {
    let last_in = |from: usize| {
        let window = words.get(from..(from + MOST_ZEROS).min(words.len())).unwrap_or(&[]);
        window.iter().rposition(|word| word.load(Ordering::Relaxed) != 0).map(|at| from + at + 1)
    };
    let Some(mut written) = last_in(from) else { return from };
    let mut step = MOST_ZEROS;
    // Where nothing is written any more, found by longer and longer steps, then by halves.
    let mut empty = loop {
        let at = written + step;
        if at >= words.len() {
            break words.len();
        }
        match last_in(at) {
            Some(end) => (written, step) = (end, step * 2),
            None => break at,
        }
    };
    while empty > written + MOST_ZEROS {
        let middle = written + (empty - written) / 2;
        match last_in(middle) {
            Some(end) => written = end,
            None => empty = middle,
        }
    }
    last_in(written).unwrap_or(written)
}

const MAGIC: &[u8; 8] = b"WFRING1\0";
const VERSION_AT: usize = 8;
const PID_AT: usize = 12;
const THREAD_AT: usize = 16;
const CHUNK_WORDS_AT: usize = 20;
const N_CHUNKS_AT: usize = 24;
const STATE_AT: usize = 28;
const STOP_AT: usize = 32;
const PARENT_AT: usize = 36;
const START_AT: usize = 40;
const CHUNK_TABLE: usize = 256;
const CHUNK_ENTRY: usize = 16;
const STATUS: usize = 0;
const N_WORDS: usize = 4;
const SEQUENCE: usize = 8;

fn put(header: &mut [u8], at: usize, word: u32) {
    header[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring_words(layout: RingLayout) -> Vec<AtomicU32> {
        let mut bytes = vec![0; layout.file_bytes()];
        RingInfo { pid: 4711, thread: 2, layout, start: 1 << 40 | 5 }.write(&mut bytes[..RingLayout::HEADER_BYTES], 99);
        bytes.chunks(4).map(|four| AtomicU32::new(u32::from_le_bytes(four.try_into().unwrap()))).collect()
    }

    #[test]
    fn a_chunk_is_filled_read_and_freed() {
        let layout = RingLayout { chunk_words: 8, n_chunks: 3 };
        let words = ring_words(layout);
        let ring = Ring::from_words(&words, "4711-2.ring").unwrap();
        assert_eq!(ring.info(), RingInfo { pid: 4711, thread: 2, layout, start: 1 << 40 | 5 });
        assert_eq!(ring.draining_parent(), 99);
        ring.begin_chunk(2, 7);
        words[layout.chunk_start(2) / 4].store(17, Ordering::Relaxed);
        ring.set_full(2, 1);
        ring.begin_chunk(0, 8);
        assert_eq!(ring.chunks_in_order(), [2, 0]);
        assert_eq!(ring.copy_chunk(2), [17]);
        let mut taken = vec![1, 2, 3];
        // SAFETY: it is full, and freed below.
        unsafe { ring.take_full_chunk_into(2, &mut taken) };
        assert_eq!(taken, [17]);
        assert_eq!(ring.copy_chunk(0), [0; 8]);
        ring.free_chunk(2);
        assert_eq!(ring.chunks_in_order(), [0]);
        assert_eq!(words[layout.chunk_start(2) / 4].load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_newer_ring_is_refused() {
        let words = ring_words(RingLayout { chunk_words: 8, n_chunks: 1 });
        words[2].store(6, Ordering::Relaxed);
        let error = Ring::from_words(&words, "4711-0.ring").err().unwrap();
        assert_eq!(error.to_string(), "4711-0.ring has format 6; this build reads format 5");
    }

    #[test]
    fn how_far_a_thread_has_written_is_seen_from_outside() {
        let layout = RingLayout { chunk_words: 200_000, n_chunks: 2 };
        let words = ring_words(layout);
        let ring = Ring::from_words(&words, "4711-0.ring").unwrap();
        assert_eq!(ring.position(WordPosition::default()), None);
        ring.begin_chunk(1, 3);
        let mut seen = WordPosition::default();
        let mut n_written = 0;
        // Every third word is zero, and now and then many are.
        for more in [0, 1, 5, 5000, 0, 1, 90_000, 2, 100_000] {
            for at in n_written..n_written + more {
                let is_zero = at % 3 == 0 || at % 7000 < 900;
                words[layout.chunk_start(1) / 4 + at].store(u32::from(!is_zero), Ordering::Relaxed);
            }
            n_written += more;
            if n_written > 0 {
                words[layout.chunk_start(1) / 4 + n_written - 1].store(1, Ordering::Relaxed);
            }
            seen = ring.position(seen).unwrap();
            assert_eq!(seen, WordPosition { sequence: 3, word: n_written as u32 });
        }
        // Also by who sees it for the first time.
        assert_eq!(ring.position(WordPosition::default()), Some(seen));
    }

    #[test]
    fn a_cut_ring_gives_what_is_left() {
        let layout = RingLayout { chunk_words: 8, n_chunks: 2 };
        let words = ring_words(layout);
        let ring = Ring::from_words(&words[..layout.chunk_start(1) / 4 + 3], "x").unwrap();
        ring.begin_chunk(1, 0);
        assert_eq!(ring.copy_chunk(1), [0; 3]);
    }
}
