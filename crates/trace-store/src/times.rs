//! When the events of a thread happened, from what was noted beside the trace while it was written (`trace-format/src/times.rs`).

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use trace_format::{FormatError, TimeMark, TimesWriter, WordPosition, read_times};
use trace_model::EventId;

use crate::Thread;
use crate::chunks::Chunk;

/// What was noted of a thread, read when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct Times(OnceLock<Vec<TimeMark>>);

impl Thread {
    /// Whether it was noted when its events happened.
    pub fn has_times(&self) -> bool {
        !self.marks().is_empty()
    }

    /// About when an event happened, in microseconds since 1970; `None` if nobody noted that.
    pub fn time_of(&self, event: EventId) -> Option<u64> {
        if !self.has_times() {
            return None;
        }
        let blocks = self.blocks();
        let number = blocks.of_event_or_earlier(event)?;
        let entry = &blocks.table.entries[number];
        let block = blocks.load(number);
        let index = usize::try_from(event.0.checked_sub(block.before.events)?).ok()?;
        let word = self.first_word(entry.chunk)? + entry.words.start as u32 + block.word_of(index);
        let sequence = self.chunks.all()[entry.chunk].sequence as u32;
        Some(time_at(self.marks(), self.start(), WordPosition { sequence, word }))
    }

    /// Writes what is known of the times for a trace file whose chunks are numbered anew, one for each that this thread has.
    pub fn write_times_renumbered(&self, path: &Path) -> Result<(), FormatError> {
        let io = |error| FormatError::Io { file: path.display().to_string(), error };
        let mut writer = TimesWriter::create(path, self.start()).map_err(io)?;
        for (number, chunk) in self.chunks.all().iter().enumerate() {
            let Some(first) = self.first_word(number) else { continue };
            let at = |word| WordPosition { sequence: chunk.sequence as u32, word };
            let micros = time_at(self.marks(), self.start(), at(first));
            writer.add(TimeMark { at: WordPosition { sequence: number as u32, word: 0 }, micros });
            let from = self.marks().partition_point(|mark| mark.at <= at(first));
            let to = chunk.n_words().map_or(self.marks().len(), |n_words| {
                self.marks().partition_point(|mark| mark.at < at(first + n_words))
            });
            for mark in self.marks().get(from..to).unwrap_or_default() {
                if mark.at.sequence == chunk.sequence as u32 {
                    let at = WordPosition { sequence: number as u32, word: mark.at.word - first };
                    writer.add(TimeMark { at, micros: mark.micros });
                }
            }
        }
        writer.flush().map_err(io)
    }

    /// The word of the chunk of the ring with which a chunk begins, which may be a later part of it.
    fn first_word(&self, chunk: usize) -> Option<u32> {
        let chunks = self.chunks.all();
        let mut first = 0;
        for before in (0..=chunk).rev() {
            // What came before a part is not known where it was dropped.
            if chunks[before].part()? == 0 {
                return Some(first);
            }
            let before = chunks[..before].last().filter(|before| before.sequence == chunks[chunk].sequence)?;
            first += before.n_words()?;
        }
        None
    }

    fn marks(&self) -> &[TimeMark] {
        self.times.0.get_or_init(|| {
            let Some(file) = self.chunks.times_file() else { return Vec::new() };
            let read = fs::read(file).ok().and_then(|bytes| read_times(&bytes, "times").ok());
            // Of another thread, if a process of this number came later.
            read.filter(|(start, _)| *start == self.start()).map(|(_, marks)| marks).unwrap_or_default()
        })
    }
}

/// Between two marks the words were written one like the other.
fn time_at(marks: &[TimeMark], start: u64, at: WordPosition) -> u64 {
    let behind = marks.partition_point(|mark| mark.at < at);
    let before = match behind.checked_sub(1) {
        Some(before) => marks[before],
        None => TimeMark { at: WordPosition::default(), micros: start },
    };
    let Some(next) = marks.get(behind) else { return before.micros };
    let whole = match next.at.sequence - before.at.sequence {
        0 => next.at.word - before.at.word,
        // How long the chunks between are is known only about.
        _ => return if at.sequence == next.at.sequence { next.micros } else { before.micros },
    };
    let part = u64::from(at.word - before.at.word);
    let elapsed = u128::from(next.micros - before.micros) * u128::from(part) / u128::from(whole.max(1));
    before.micros.saturating_add(elapsed as u64)
}

impl Chunk {
    /// Which part of a chunk of the ring it is.
    fn part(&self) -> Option<u32> {
        if self.is_preamble() { None } else { Some(self.segment().map_or(0, |segment| segment.part)) }
    }

    fn n_words(&self) -> Option<u32> {
        self.segment().map(|segment| segment.n_words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_marks_time_goes_on_evenly() {
        let at = |sequence, word| WordPosition { sequence, word };
        let marks =
            [(at(0, 0), 1000), (at(0, 100), 2000), (at(0, 100), 9000), (at(0, 200), 10_000), (at(2, 50), 20_000)];
        let marks = marks.map(|(at, micros)| TimeMark { at, micros });
        let time = |sequence, word| time_at(&marks, 500, at(sequence, word));
        assert_eq!(time(0, 50), 1500);
        // Nothing happened in a pause.
        assert_eq!(time(0, 101), 9010);
        assert_eq!(time(0, 300), 10_000);
        assert_eq!(time(1, 7), 10_000);
        assert_eq!(time(2, 10), 20_000);
        assert_eq!(time(3, 0), 20_000);
        assert_eq!(time_at(&[], 500, at(0, 7)), 500);
    }
}
