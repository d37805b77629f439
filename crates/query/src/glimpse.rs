//! Parts of what an object holds: enough to show what it is, or a page of it, however much there is.

use std::ops::Range;

use trace_model::{EventId, ObjectId};
use trace_store::Target;

use crate::{Contents, Trace};

/// The first of what an object holds.
pub enum Glimpse {
    /// Some of the keys that it got first; all if there are few.
    Seen(Contents),
    /// It is large, and only as a whole tells what it holds.
    Whole,
}

/// An object as its own events made it, and the moments at which it is so: from behind its newest event to its next.
pub struct Lasting {
    contents: Contents,
    during: Range<EventId>,
}

impl Lasting {
    pub fn is_so_at(&self, before: EventId) -> bool {
        self.during.contains(&before)
    }

    /// How many properties and entries there are.
    pub fn len(&self) -> usize {
        self.contents.properties.len() + self.contents.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Trace<'_> {
    /// `None` if nothing of the object was recorded before that moment.
    pub fn glimpse(&self, object: ObjectId, before: EventId, n_wanted: usize) -> Option<Glimpse> {
        let (replay, is_all) = self.replay_first(object, before, MOST_REPLAYED)?;
        let mut contents = replay.into_contents();
        if is_all {
            return Some(Glimpse::Seen(self.as_known(contents, before)));
        }
        if contents.length.is_some() || contents.class.is_some_and(|class| class.has_entries()) {
            return Some(Glimpse::Whole);
        }
        contents.is_complete = false;
        let tried = std::mem::take(&mut contents.properties).into_iter().take(MOST_TRIED);
        contents.properties = tried.filter_map(|(key, _)| self.read_own(object, key, before)).take(n_wanted).collect();
        match contents.properties.len() < n_wanted {
            // What it had at first is gone.
            true => Some(Glimpse::Whole),
            false => Some(Glimpse::Seen(self.as_known(contents, before))),
        }
    }

    /// A part of the first that an object holds, where it holds more and that can be told without the whole; as `part_of` would give it.
    pub fn early_part(&self, object: ObjectId, part: Range<usize>, before: EventId) -> Option<Contents> {
        if part.end > MOST_EARLY {
            return None;
        }
        let mut contents = self.first_properties(object, before, part.end)?;
        contents.properties.drain(..part.start.min(part.end));
        Some(self.as_known(contents, before))
    }

    /// `None` if nothing of the object was recorded before that moment.
    pub fn lasting(&self, object: ObjectId, before: EventId) -> Option<Lasting> {
        let contents = self.contents_by_events(object, before)?;
        let target = Target::Object(object);
        let since = self.last(&target, before).map_or(EventId(0), |newest| EventId(newest.id.0 + 1));
        let until = self.next(&target, before).map_or(self.thread.end(), |next| next.id);
        Some(Lasting { contents, during: since..EventId(until.0 + 1) })
    }

    /// A part of what an object holds, counted over its properties and then its entries, as it is known at a moment.
    pub fn part_of(&self, lasting: &Lasting, part: Range<usize>, before: EventId) -> Contents {
        let Contents { object, class, name, prototype, properties, entries, stands_for, length, size, is_complete } =
            &lasting.contents;
        let n_properties = properties.len();
        let [start, end] = [part.start, part.end].map(|bound| bound.min(lasting.len()));
        let cut = |from: usize| [start, end].map(|bound| bound.saturating_sub(from));
        let [first_entry, last_entry] = cut(n_properties);
        let contents = Contents {
            object: *object,
            class: *class,
            name: name.clone(),
            prototype: *prototype,
            properties: properties[start.min(n_properties)..end.min(n_properties)].to_vec(),
            entries: entries[first_entry..last_entry.max(first_entry)].to_vec(),
            stands_for: stands_for.clone(),
            length: *length,
            size: *size,
            is_complete: *is_complete,
        };
        self.as_known(contents, before)
    }
}

/// An object of no more events is replayed as a whole.
const MOST_REPLAYED: usize = 1000;
/// What is behind so many is not looked for key by key.
const MOST_EARLY: usize = 1000;
/// Each costs a look-up.
const MOST_TRIED: usize = 20;
