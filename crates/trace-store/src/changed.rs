//! A thread once more, with other contents: what a run is shared without is taken out of its events here.

use std::path::Path;

use event_encoding::{Counts, decode, encode};
use trace_format::{FormatError, PREAMBLE, PartOfChunk, SEGMENT_WORDS, TraceInfo, TraceWriter};
use trace_model::Event;

use crate::Thread;

impl Thread {
    /// Shows every event that can be read, oldest first; those that only name strings included, and also strings of what was dropped. A
    /// value that is a literal of the source is not part of its event here: the source is written by itself. `progress` is told how much of how much is done.
    pub fn visit_all(&self, progress: &mut dyn FnMut(u64, u64), visit: &mut dyn FnMut(&mut Event)) {
        // Without a writer nothing can fail.
        let _ = self.pass(None, progress, visit);
    }

    /// Reads every event, as whoever does not believe the file has to: no segment may start before the one ahead of it ends, or tell
    /// what could be counted. An error says what is not so.
    pub fn verify(&self) -> Result<(), String> {
        let mut shapes = self.code().briefs();
        let mut counts: Option<Counts> = None;
        for (number, chunk) in self.chunks.all().iter().enumerate() {
            let name = self.name();
            if chunk.is_preamble() && number > 0 || chunk.segment().is_none_or(|segment| segment.has_outline()) {
                return Err(format!("{name} has a segment that no shared run has"));
            }
            let before = chunk.before.ok_or_else(|| format!("{name} does not say where a segment starts"))?;
            let most = before.frames.max(before.strings).max(before.symbols);
            // What could not be read when the run was shared is a gap.
            let is_behind = |counts: Counts| {
                counts.events <= before.events
                    && counts.frames <= before.frames
                    && counts.strings <= before.strings
                    && counts.symbols <= before.symbols
            };
            if !counts.is_none_or(is_behind) || u64::from(most) > before.events || before.events > MOST_EVENTS {
                return Err(format!("{name} says that a segment starts where it does not"));
            }
            let words = self.chunks.words(chunk).map_err(|error| error.to_string())?;
            let (mut now, mut at) = (before, 0);
            while let Some((_, length)) = decode(&words[at..], &mut now, &mut shapes)
                .map_err(|error| format!("{name}: event {}: {error}", now.events))?
            {
                at += length;
            }
            // What was dropped is counted in what follows.
            counts = (!chunk.is_preamble()).then_some(now);
        }
        Ok(())
    }

    /// Writes a trace file with the same events, each as `change` leaves it. What cannot be read is left out, and said.
    pub fn write_changed(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(u64, u64),
        change: &mut dyn FnMut(&mut Event),
    ) -> Result<Vec<String>, FormatError> {
        let info = TraceInfo { pid: self.pid(), thread: self.number(), start: self.start() };
        self.pass(Some(TraceWriter::create(path, info)?), progress, change)
    }

    fn pass(
        &self,
        mut writer: Option<TraceWriter>,
        progress: &mut dyn FnMut(u64, u64),
        visit: &mut dyn FnMut(&mut Event),
    ) -> Result<Vec<String>, FormatError> {
        let mut notes = Vec::new();
        let mut shapes = self.code().briefs();
        let mut counts = Counts::default();
        let mut is_counting = true;
        let chunks = self.chunks.all();
        for (number, chunk) in chunks.iter().enumerate() {
            progress(number as u64, chunks.len() as u64);
            if let Some(before) = chunk.before {
                (counts, is_counting) = (before, true);
            }
            let words = self.chunks.words(chunk);
            let Some(words) = words.as_ref().ok().filter(|_| is_counting) else {
                notes.push(format!("{}: what follows event {} cannot be read", self.name(), counts.events));
                is_counting = false;
                continue;
            };
            let sequence = if chunk.is_preamble() { PREAMBLE } else { number as u32 };
            let mut parts = Parts { writer: writer.as_mut(), sequence, part: 0, before: counts, words: Vec::new() };
            let mut at = 0;
            loop {
                let before = counts;
                match decode(&words[at..], &mut counts, &mut shapes) {
                    Ok(Some((mut event, length))) => {
                        visit(&mut event);
                        parts.add(&event, before)?;
                        at += length;
                    }
                    Ok(None) => break,
                    Err(error) => {
                        let event = before.events;
                        notes.push(format!("{}: cannot be read from event {event} on: {error}", self.name()));
                        (counts, is_counting) = (before, false);
                        break;
                    }
                }
            }
            parts.finish(counts)?;
        }
        Ok(notes)
    }
}

/// More were never recorded: that would be a year.
const MOST_EVENTS: u64 = 1 << 48;

/// What becomes of one chunk: segments of the usual size.
struct Parts<'w> {
    writer: Option<&'w mut TraceWriter>,
    sequence: u32,
    part: u32,
    /// What came before the words that are not written yet.
    before: Counts,
    words: Vec<u32>,
}

impl Parts<'_> {
    fn add(&mut self, event: &Event, before: Counts) -> Result<(), FormatError> {
        if self.writer.is_none() {
            return Ok(());
        }
        let start = self.words.len();
        encode(event, &mut self.words);
        if self.words.len() > SEGMENT_WORDS && start > 0 {
            let rest = self.words.split_off(start);
            self.write(before, false)?;
            self.words = rest;
        }
        Ok(())
    }

    fn finish(mut self, after: Counts) -> Result<(), FormatError> {
        self.write(after, true)
    }

    fn write(&mut self, after: Counts, is_last: bool) -> Result<(), FormatError> {
        let Some(writer) = self.writer.as_mut() else { return Ok(()) };
        let part = PartOfChunk { sequence: self.sequence, part: self.part, is_last };
        writer.append_part(part, &self.words, Some(self.before), Some(after))?;
        self.part += 1;
        self.before = after;
        self.words.clear();
        Ok(())
    }
}
