//! Events ↔ 32-bit words: the plain encoding, which `README.md` of `trace-format` draws.
//!
//! This crate alone knows what a word means. It hands out events, either whole ([`decode`]) or as views of what is stored
//! ([`EventView`]), for which nothing is copied and nothing allocated. `trace-store` stands on it and fills in what was not stored; nobody
//! above depends on it (`crates/xtask/tests/layers.rs`), so another encoding changes this crate and `trace-store`, and no reader of events.
//!
//! The words of an event do not say how many they are; the kind of its site does. So reading needs a lookup from sites to
//! their [`SiteShape`]. Numbers of strings, symbols and frames are not stored but counted, in [`Counts`].

mod reader;
mod stored;
mod view;
mod writer;

use trace_model::contract::header::{RECORD_MASK, TAG_BITS, TAG_MASK};
use trace_model::contract::{record, tag};
use trace_model::{Event, EventId, Record, Site, SiteId, SiteKind, Tail};

pub use reader::{decode, skip};
pub use stored::{EventStart, ShortEvent, StoredEvent, StoredObject, event_start, has_events};
pub use view::{EventView, RecordView, TailView, TextView, ValueView, ValuesView, record_view, site_view};
pub use writer::encode;

/// What a reader must know of a site to find the end of its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteShape {
    kind: SiteKind,
    n_values: u32,
    /// Words behind the value, or [`ANY_LENGTH`]. Every event asks, so it is kept.
    n_tail: u8,
}

const ANY_LENGTH: u8 = u8::MAX;

impl SiteShape {
    /// `n_values` is the number of values that follow, for kinds whose tail is a list of values.
    pub fn new(kind: SiteKind, n_values: u32) -> SiteShape {
        let n_tail = match kind.tail() {
            Tail::None => 0,
            Tail::ParentScope | Tail::Frame | Tail::Object => 1,
            Tail::ObjectAndKey | Tail::Keys | Tail::Elements => ANY_LENGTH,
        };
        SiteShape { kind, n_values, n_tail }
    }

    pub fn of(site: &Site) -> SiteShape {
        let n_values = match site.kind.tail() {
            Tail::Keys => site.names.len() as u32,
            Tail::Elements => site.extra,
            _ => 0,
        };
        SiteShape::new(site.kind, n_values)
    }

    #[inline]
    pub fn kind(self) -> SiteKind {
        self.kind
    }

    pub fn n_values(self) -> u32 {
        self.n_values
    }

    /// Whether the tail of its events is a number: a frame, a scope or an object.
    #[inline]
    pub fn has_number(self) -> bool {
        self.n_tail == 1
    }

    /// Whether the tail of its events is made of values, which are of any length.
    #[inline]
    pub fn has_values(self) -> bool {
        self.n_tail == ANY_LENGTH
    }
}

/// Finds the shape of a site of the process whose events are read.
pub trait Shapes {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape>;
}

impl<F: FnMut(SiteId) -> Option<SiteShape>> Shapes for F {
    fn shape(&mut self, site: SiteId) -> Option<SiteShape> {
        self(site)
    }
}

/// How many of each there were before a position in a thread's stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Frames and scopes: they share their numbers.
    pub frames: u32,
    pub strings: u32,
    pub symbols: u32,
    pub events: u64,
}

impl Counts {
    /// The number that the next event gets.
    pub fn next_event(&self) -> EventId {
        EventId(self.events)
    }

    /// Counts an event that was not decoded from words, but made.
    pub fn add(&mut self, event: &Event, shapes: &mut impl Shapes) {
        self.events += 1;
        match event {
            Event::Site { site, .. } => {
                if let Some(shape) = shapes.shape(*site) {
                    self.add_site(shape.kind);
                }
            }
            Event::Record(Record::String(..)) => self.strings += 1,
            Event::Record(Record::Symbol(..)) => self.symbols += 1,
            Event::Record(_) => {}
        }
    }

    /// What there is with so much more.
    pub fn and(self, more: Counts) -> Counts {
        Counts {
            frames: self.frames + more.frames,
            strings: self.strings + more.strings,
            symbols: self.symbols + more.symbols,
            events: self.events + more.events,
        }
    }

    fn add_site(&mut self, kind: SiteKind) {
        if matches!(kind, SiteKind::Enter | SiteKind::Scope) {
            self.frames += 1;
        }
    }
}

/// Why words are not an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("an event is cut off")]
    Torn,
    #[error("an event has site {}, which no code of this process has", .0.0)]
    UnknownSite(SiteId),
    #[error("a value has the unknown tag {0}")]
    UnknownTag(u32),
    #[error("a record has the unknown number {0}")]
    UnknownRecord(u32),
    #[error("a record has the unknown class or operation {0}")]
    UnknownDetail(u32),
}

/// Counts all events of `words`, up to the end or the first zero header. Gives the number of words they take.
pub fn skip_all(words: &[u32], counts: &mut Counts, shapes: &mut impl Shapes) -> Result<usize, DecodeError> {
    let mut at = 0;
    while let Some(length) = skip(&words[at..], counts, shapes)? {
        at += length;
    }
    Ok(at)
}

/// As [`skip_all`], of events that take no more than so many words together, but one at least.
pub fn skip_part(
    words: &[u32],
    room: usize,
    counts: &mut Counts,
    shapes: &mut impl Shapes,
) -> Result<usize, DecodeError> {
    let mut at = 0;
    loop {
        let mut with_next = *counts;
        match skip(&words[at..], &mut with_next, shapes)? {
            Some(length) if at == 0 || at + length <= room => at += length,
            _ => return Ok(at),
        }
        *counts = with_next;
    }
}

/// Whether the event at the start of `words` is a string or symbol: later events refer to these by number.
pub fn is_name_record(words: &[u32]) -> bool {
    let header = words.first().copied().unwrap_or(0);
    header & TAG_MASK == tag::RECORD
        && matches!(header >> TAG_BITS & RECORD_MASK, record::LATIN1 | record::UTF16 | record::SYMBOL)
}
