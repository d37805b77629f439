//! The words of one event, and where it begins and ends: for who follows all events of a run, of which most take a few words.

use trace_model::SiteId;
use trace_model::contract::header::{TAG_BITS, TAG_MASK};
use trace_model::contract::tag;

use crate::view::{record_view, site_length, site_view};
use crate::{DecodeError, EventView, RecordView, SiteShape};

/// What begins at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventStart {
    Site(SiteId),
    Record,
}

/// What begins at the start of `words`; `None` at their end, which is also a zero.
#[inline]
pub fn event_start(words: &[u32]) -> Option<EventStart> {
    match words.first() {
        None | Some(0) => None,
        Some(header) => Some(of_header(*header).map_or(EventStart::Record, EventStart::Site)),
    }
}

/// Whether there is an event at the start of `words`.
pub fn has_events(words: &[u32]) -> bool {
    event_start(words).is_some()
}

#[inline]
fn of_header(header: u32) -> Option<SiteId> {
    (header & TAG_MASK != tag::RECORD).then_some(SiteId(header >> TAG_BITS))
}

/// An event, whole.
#[derive(Clone, Copy, Debug)]
pub struct StoredEvent<'w> {
    words: &'w [u32],
}

/// An object that is the value of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredObject {
    pub number: u32,
    /// Of an object that is seen for the first time, at its construction: the number of its prototype, or 0.
    pub prototype: Option<u32>,
}

impl StoredObject {
    /// The higher one of its number and that of its prototype.
    #[inline]
    pub fn highest(self) -> u32 {
        self.number.max(self.prototype.unwrap_or(0))
    }

    #[inline]
    pub fn is_new(self) -> bool {
        self.prototype.is_some()
    }
}

impl<'w> StoredEvent<'w> {
    /// The event of a site at the start of `words`; `None` if it takes more than `room` words.
    #[inline(always)]
    pub fn of_site(words: &'w [u32], room: usize, shape: SiteShape) -> Result<Option<StoredEvent<'w>>, DecodeError> {
        let n_words = match shape.has_values() {
            false => n_without_tail(words[0]) + usize::from(shape.has_number()),
            true => site_length(words, shape)?,
        };
        if n_words > room {
            return Ok(None);
        }
        words.get(..n_words).map(|words| Some(StoredEvent { words })).ok_or(DecodeError::Torn)
    }

    /// The record at the start of `words`.
    pub fn of_record(words: &'w [u32]) -> Result<(StoredEvent<'w>, RecordView<'w>), DecodeError> {
        let (record, n_words) = record_view(words)?;
        Ok((StoredEvent { words: &words[..n_words] }, record))
    }

    /// Words that were found to be those of one event before.
    #[inline]
    pub fn known(words: &'w [u32]) -> StoredEvent<'w> {
        StoredEvent { words }
    }

    #[inline]
    pub fn n_words(self) -> usize {
        self.words.len()
    }

    #[inline]
    pub fn site(self) -> Option<SiteId> {
        of_header(self.words[0])
    }

    /// Of an event of a site with this shape.
    #[inline]
    pub fn view(self, shape: SiteShape) -> Option<EventView<'w>> {
        site_view(self.words, shape).ok().map(|(event, _)| event)
    }

    pub fn record(self) -> Option<RecordView<'w>> {
        if self.site().is_some() {
            return None;
        }
        record_view(self.words).ok().map(|(record, _)| record)
    }

    /// Of an event of a site: the object that is its value.
    #[inline]
    pub fn object(self) -> Option<StoredObject> {
        object(self.words)
    }

    /// Of an event whose tail is a number: that number, 0 for none. Of others it means nothing.
    #[inline]
    pub fn number(self) -> u32 {
        self.words[self.words.len() - 1]
    }

    /// As the owned event; the numbers of strings and symbols are counted from `counts`.
    pub fn decode(self, counts: &mut crate::Counts, shapes: &mut impl crate::Shapes) -> Option<trace_model::Event> {
        crate::decode(self.words, counts, shapes).ok()?.map(|(event, _)| event)
    }
}

/// As many words as an event of a site takes at most whose tail is a number: its header, a value of two words, the tail. For who
/// passes over all events: nothing is checked twice.
#[derive(Clone, Copy)]
pub struct ShortEvent<'w> {
    words: &'w [u32; MOST_WORDS],
}

const MOST_WORDS: usize = 4;

impl<'w> ShortEvent<'w> {
    #[inline(always)]
    pub fn at(words: &'w [u32], at: usize) -> Option<ShortEvent<'w>> {
        words.get(at..)?.first_chunk::<MOST_WORDS>().map(|words| ShortEvent { words })
    }

    /// Whether it is an event of a site.
    #[inline(always)]
    pub fn is_of_site(self) -> bool {
        of_header(self.words[0]).is_some()
    }

    /// Of an event of a site.
    #[inline(always)]
    pub fn site(self) -> SiteId {
        SiteId(self.words[0] >> TAG_BITS)
    }

    #[inline(always)]
    pub fn n_words(self, has_number: bool) -> usize {
        n_without_tail(self.words[0]) + usize::from(has_number)
    }

    /// As [`StoredEvent::object`].
    #[inline(always)]
    pub fn object(self) -> Option<StoredObject> {
        object(self.words)
    }

    /// As [`StoredEvent::number`], of an event that takes so many words.
    #[inline(always)]
    pub fn number(self, n_words: usize) -> u32 {
        self.words[(n_words - 1) % MOST_WORDS]
    }
}

#[inline(always)]
fn object(words: &[u32]) -> Option<StoredObject> {
    match (words[0] & TAG_MASK, words) {
        (tag::OBJECT, [_, number, ..]) => Some(StoredObject { number: *number, prototype: None }),
        (tag::NEW_OBJECT, [_, number, prototype, ..]) => {
            Some(StoredObject { number: *number, prototype: Some(*prototype) })
        }
        _ => None,
    }
}

/// The number of words of an event of a site up to its tail.
#[inline(always)]
fn n_without_tail(header: u32) -> usize {
    1 + tag::n_payload(header & TAG_MASK)
}
