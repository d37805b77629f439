//! When a thread wrote its words ↔ bytes: `4711-0.times` of a run. Whoever empties the rings sees about each millisecond how far each
//! thread has come and notes it here. So the program pays nothing for it, and the numbers of events do not depend on how fast it ran.
//!
//! The file only grows, while the program runs. One that ends inside a mark is read up to the mark before it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::{FormatError, private};

/// A place in the words of a thread: a chunk of its ring, and the word in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct WordPosition {
    pub sequence: u32,
    pub word: u32,
}

/// The thread had come to this place at this time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TimeMark {
    pub at: WordPosition,
    /// Microseconds since 1970.
    pub micros: u64,
}

/// Appends marks to a file. What is not flushed yet is nowhere else.
pub struct TimesWriter {
    file: File,
    bytes: Vec<u8>,
    last: TimeMark,
}

impl TimesWriter {
    /// `start` is when the thread started.
    pub fn create(path: &Path, start: u64) -> io::Result<TimesWriter> {
        let file = private::create(path)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&start.to_le_bytes());
        Ok(TimesWriter { file, bytes, last: TimeMark { micros: start, ..TimeMark::default() } })
    }

    /// Of a place behind the last one, or the same, at a later time.
    pub fn add(&mut self, mark: TimeMark) {
        let (last, TimeMark { at, micros }) = (self.last, mark);
        if at < last.at || micros < last.micros {
            return;
        }
        let chunks = at.sequence - last.at.sequence;
        let words = if chunks == 0 { at.word - last.at.word } else { at.word };
        for number in [u64::from(chunks), u64::from(words), micros - last.micros] {
            put(&mut self.bytes, number);
        }
        self.last = mark;
    }

    pub fn n_waiting(&self) -> usize {
        self.bytes.len()
    }

    pub fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.bytes);
        self.bytes.clear();
        written
    }
}

/// What [`TimesWriter`] wrote: the time at which the thread started, and the marks.
pub fn read_times(bytes: &[u8], file: &str) -> Result<(u64, Vec<TimeMark>), FormatError> {
    let not_ours = || FormatError::NotOurs { file: file.into(), expected: "list of times" };
    let body = bytes.strip_prefix(MAGIC).ok_or_else(not_ours)?;
    let (version, body) = body.split_first_chunk::<4>().ok_or_else(not_ours)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(FormatError::Version { file: file.into(), found, supported: VERSION });
    }
    let (start, mut body) = body.split_first_chunk::<8>().ok_or_else(not_ours)?;
    let start = u64::from_le_bytes(*start);
    let mut last = TimeMark { micros: start, ..TimeMark::default() };
    let mut marks = Vec::new();
    while let Some(mark) = next(&mut body, last) {
        marks.push(mark);
        last = mark;
    }
    Ok((start, marks))
}

fn next(bytes: &mut &[u8], last: TimeMark) -> Option<TimeMark> {
    let chunks = u32::try_from(number(bytes)?).ok()?;
    let words = u32::try_from(number(bytes)?).ok()?;
    let micros = last.micros.checked_add(number(bytes)?)?;
    let word = if chunks == 0 { last.at.word.checked_add(words)? } else { words };
    Some(TimeMark { at: WordPosition { sequence: last.at.sequence.checked_add(chunks)?, word }, micros })
}

const MAGIC: &[u8] = b"WFTIMES\0";
/// - 1: the first.
const VERSION: u32 = 1;

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(sequence: u32, word: u32, micros: u64) -> TimeMark {
        TimeMark { at: WordPosition { sequence, word }, micros }
    }

    fn example() -> (Vec<TimeMark>, Vec<u8>) {
        let marks = vec![
            mark(0, 0, 1_000_100),
            mark(0, 70_000, 1_001_100),
            mark(3, 5, 9_000_000_000),
            mark(3, 5, 9_000_000_001),
        ];
        let path = tempfile::tempdir().unwrap().keep().join("1-0.times");
        let mut writer = TimesWriter::create(&path, 1_000_000).unwrap();
        marks.iter().for_each(|mark| writer.add(*mark));
        // Neither goes back.
        writer.add(mark(2, 9, 9_000_000_002));
        writer.add(mark(4, 0, 1));
        writer.flush().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
        (marks, bytes)
    }

    #[test]
    fn what_was_written_is_read() {
        let (marks, bytes) = example();
        assert_eq!(read_times(&bytes, "1-0.times").unwrap(), (1_000_000, marks));
    }

    #[test]
    fn a_cut_file_gives_the_marks_before_the_cut() {
        let (marks, bytes) = example();
        for length in 0..bytes.len() {
            match read_times(&bytes[..length], "1-0.times") {
                Ok((_, read)) => assert_eq!(read, marks[..read.len()], "{length} bytes"),
                Err(_) => assert!(length < 20, "{length} bytes"),
            }
        }
    }

    #[test]
    fn a_newer_file_is_refused() {
        let (_, mut bytes) = example();
        bytes[8] = 9;
        let error = read_times(&bytes, "1-0.times").unwrap_err().to_string();
        assert_eq!(error, "1-0.times has format 9; this build reads format 1");
    }
}
