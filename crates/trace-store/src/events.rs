use event_encoding::{Counts, DecodeError, decode, skip};
use trace_model::{Event, EventId, cancel};

use crate::Thread;
use crate::code::BriefLookup;

/// The events of a thread, oldest first. What cannot be read is passed over and noted.
pub struct Events<'a> {
    thread: &'a Thread,
    shapes: BriefLookup<'a>,
    next_chunk: usize,
    words: Vec<u32>,
    at: usize,
    counts: Counts,
    /// Whether the numbers are known: not behind damage, until the next chunk that says them.
    is_counting: bool,
    notes: Vec<String>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(thread: &'a Thread, first_chunk: usize) -> Events<'a> {
        Events {
            thread,
            shapes: thread.code().briefs(),
            next_chunk: first_chunk,
            words: Vec::new(),
            at: 0,
            counts: Counts::default(),
            is_counting: true,
            notes: thread.chunks.notes.clone(),
        }
    }

    /// What could not be read so far.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// How many there were before the next event.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Passes over the events before a number, without decoding them.
    pub(crate) fn skip_to(&mut self, first: EventId) {
        while self.counts.events < first.0 || self.words.is_empty() {
            match skip(&self.words[self.at..], &mut self.counts, &mut self.shapes) {
                Ok(Some(length)) => self.at += length,
                Ok(None) => {
                    if !self.load_next_chunk() {
                        return;
                    }
                }
                Err(error) => self.give_up_chunk(error),
            }
        }
    }

    fn load_next_chunk(&mut self) -> bool {
        let chunks = &self.thread.chunks;
        while let Some(chunk) = chunks.all().get(self.next_chunk) {
            cancel::check();
            self.next_chunk += 1;
            if chunk.is_preamble() {
                continue;
            }
            if let Some(before) = chunk.before {
                self.note_missing(before);
                (self.counts, self.is_counting) = (before, true);
            }
            if !self.is_counting {
                self.notes.push(format!(
                    "{}: what follows event {} cannot be read, as the numbers in it are not known",
                    self.thread.name(),
                    self.counts.events
                ));
                self.next_chunk = chunks.all().len();
                return false;
            }
            match chunks.words(chunk) {
                Ok(words) => {
                    (self.words, self.at) = (words, 0);
                    return true;
                }
                Err(error) => {
                    self.notes.push(error.to_string());
                    self.is_counting = false;
                }
            }
        }
        false
    }

    fn note_missing(&mut self, before: Counts) {
        let (reached, goes_on) = (self.counts.events, before.events);
        if goes_on > reached && reached > 0 {
            self.notes.push(format!("{}: events {reached} to {} are missing", self.thread.name(), goes_on - 1));
        }
    }

    /// Without its site an event has no length, so what follows it cannot be read either.
    fn give_up_chunk(&mut self, error: DecodeError) {
        let why = self.reason(error);
        let (thread, event) = (self.thread.name(), self.counts.events);
        self.notes.push(format!("{thread}: cannot be read from event {event} on: {why}"));
        self.at = self.words.len();
        self.is_counting = false;
    }

    fn reason(&self, error: DecodeError) -> String {
        if let DecodeError::UnknownSite(site) = error
            && let Some(unit) = self.thread.code().unit(site)
            && let Err(why) = unit.code()
        {
            return format!("it comes from {}, whose sites are lost ({why})", unit.record.path);
        }
        error.to_string()
    }
}

impl Iterator for Events<'_> {
    type Item = (EventId, Event);

    fn next(&mut self) -> Option<(EventId, Event)> {
        loop {
            let id = self.counts.next_event();
            match decode(&self.words[self.at..], &mut self.counts, &mut self.shapes) {
                Ok(Some((mut event, length))) => {
                    self.shapes.fill_in(&mut event);
                    self.at += length;
                    return Some((id, event));
                }
                Ok(None) => {
                    if !self.load_next_chunk() {
                        return None;
                    }
                }
                Err(error) => self.give_up_chunk(error),
            }
        }
    }
}
