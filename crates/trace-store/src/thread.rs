use std::path::Path;
use std::sync::{Arc, OnceLock};

use trace_format::{Counts, FormatError, skip};
use trace_model::{Event, EventId, Record, SiteId, StringId, SymbolId};

use crate::chunks::Chunks;
use crate::literal::literal_string;
use crate::{Events, ProcessCode, SiteRef};

/// The events of one thread.
#[derive(Debug)]
pub struct Thread {
    pid: u32,
    number: u32,
    code: Arc<ProcessCode>,
    pub(crate) chunks: Chunks,
    names: OnceLock<Names>,
}

/// Strings and symbols, by their numbers from 1.
#[derive(Debug, Default)]
struct Names {
    /// A damaged part of the trace leaves holes.
    strings: Vec<Option<Box<str>>>,
    symbols: Vec<Option<StringId>>,
}

impl Thread {
    pub(crate) fn open(run: &Path, pid: u32, number: u32, code: Arc<ProcessCode>) -> Result<Thread, FormatError> {
        let chunks = Chunks::open(run, &format!("{pid}-{number}"))?;
        Ok(Thread { pid, number, code, chunks, names: OnceLock::new() })
    }

    /// `4711-0`: its process and its number there.
    pub fn name(&self) -> String {
        format!("{}-{}", self.pid, self.number)
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    /// Microseconds since 1970.
    pub fn start(&self) -> u64 {
        self.chunks.start
    }

    pub fn code(&self) -> &ProcessCode {
        &self.code
    }

    pub fn site(&self, site: SiteId) -> Option<SiteRef<'_>> {
        self.code.site(site)
    }

    /// All events, oldest first.
    pub fn events(&self) -> Events<'_> {
        Events::new(self, 0)
    }

    /// The events from a number on. What lies before it in the same chunk is decoded, and nothing else.
    pub fn events_from(&self, first: EventId) -> Events<'_> {
        let starts_later = |before: Option<Counts>| before.is_some_and(|before| before.events > first.0);
        let is_start = |before: Option<Counts>| before.is_some_and(|before| before.events <= first.0);
        let chunks = self.chunks.all();
        let end = chunks.iter().position(|chunk| starts_later(chunk.before)).unwrap_or(chunks.len());
        let chunk = chunks[..end].iter().rposition(|chunk| is_start(chunk.before)).unwrap_or(0);
        let mut events = Events::new(self, chunk);
        events.skip_to(first);
        events
    }

    /// The first event that is kept; those before it were dropped by `--keep-last`.
    pub fn first_event(&self) -> EventId {
        let first = self.chunks.all().iter().find(|chunk| !chunk.is_preamble());
        EventId(first.and_then(|chunk| chunk.before).map_or(0, |before| before.events))
    }

    /// What there is behind the last event: the number of events, and so on. Reads little: the file counts along.
    pub fn counts(&self) -> Counts {
        let chunks = self.chunks.all();
        let chunk = chunks.iter().rposition(|chunk| chunk.before.is_some()).unwrap_or(0);
        let mut events = Events::new(self, chunk);
        events.skip_to(EventId(u64::MAX));
        events.counts()
    }

    pub fn string(&self, id: StringId) -> Option<&str> {
        if let Some(site) = literal_string(id) {
            return self.code.literal_text(site);
        }
        self.names().strings.get((id.0 as usize).checked_sub(1)?)?.as_deref()
    }

    /// The description of a symbol; `None` for one without, or unknown.
    pub fn symbol_description(&self, id: SymbolId) -> Option<&str> {
        self.string((*self.names().symbols.get((id.0 as usize).checked_sub(1)?)?)?)
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| self.read_names())
    }

    fn read_names(&self) -> Names {
        let mut names = Names::default();
        // `None` behind damage, until the next chunk that says how many came before it.
        let mut known = Some(Counts::default());
        let mut shapes = self.code.shapes();
        for chunk in self.chunks.all() {
            let Some(mut counts) = chunk.before.or(known) else { continue };
            known = None;
            let Ok(words) = self.chunks.words(chunk) else { continue };
            let mut at = 0;
            loop {
                let before = counts;
                match skip(&words[at..], &mut counts, &mut shapes) {
                    Ok(Some(length)) => {
                        if (counts.strings, counts.symbols) != (before.strings, before.symbols) {
                            names.add(&words[at..at + length], before);
                        }
                        at += length;
                    }
                    Ok(None) => {
                        known = Some(counts);
                        break;
                    }
                    Err(_) => break,
                }
            }
        }
        names
    }
}

impl Names {
    fn add(&mut self, words: &[u32], mut before: Counts) {
        let no_site = &mut |_: SiteId| None;
        match trace_format::decode(words, &mut before, no_site) {
            Ok(Some((Event::Record(Record::String(id, text)), _))) => set(&mut self.strings, id.0, text.into()),
            Ok(Some((Event::Record(Record::Symbol(id, Some(text))), _))) => set(&mut self.symbols, id.0, text),
            _ => {}
        }
    }
}

/// Numbers count from 1, and up by 1 except behind damage.
fn set<T>(list: &mut Vec<Option<T>>, number: u32, item: T) {
    while list.len() < number as usize {
        list.push(None);
    }
    list[number as usize - 1] = Some(item);
}
