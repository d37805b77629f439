//! Parts of what an object holds: enough to show what it is, or a page of it, however much there is.

use std::ops::Range;

use trace_model::{EventId, ObjectId};
use trace_store::{PropertyKey, Step, Target};

use crate::{Contents, Trace};

/// The first of what an object holds.
pub enum Glimpse {
    /// Some of its first keys; all if there are few.
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

    pub fn contents(&self) -> &Contents {
        &self.contents
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
        let (replay, unread) = self.replay_first(object, before, MOST_REPLAYED)?;
        let mut contents = replay.into_contents();
        let Some(unread) = unread else {
            return Some(Glimpse::Seen(self.as_known(contents, before)));
        };
        if contents.length.is_some() || contents.class.is_some_and(|class| class.has_entries()) {
            return Some(Glimpse::Whole);
        }
        contents.is_complete = false;
        contents.total = None;
        let tried: Vec<PropertyKey> =
            std::mem::take(&mut contents.properties).into_iter().map(|(key, _)| key).take(MOST_TRIED).collect();
        if !self.stand_first(object, &tried, unread) {
            return Some(Glimpse::Whole);
        }
        let read = tried.into_iter().filter_map(|key| self.read_own(object, key, before));
        contents.properties = read.take(n_wanted).collect();
        match contents.properties.len() < n_wanted {
            // What it had at first is gone.
            true => Some(Glimpse::Whole),
            false => Some(Glimpse::Seen(self.as_known(contents, before))),
        }
    }

    /// Whether keys that an object got first stand first after events that are not read, as far as they are still there: none was
    /// taken from it and added again, none came that stands before them, and nothing happened of which that is not known.
    fn stand_first(&self, object: ObjectId, keys: &[PropertyKey], unread: Range<EventId>) -> bool {
        let are_ordered = self.are_ordered_by_coming(object, keys.iter(), unread.clone());
        let mut removals = self.each_within(&Target::Removals(object), unread);
        let is_of_another = |step: &Step| self.written_key(step, object).is_some_and(|key| !keys.contains(&key));
        are_ordered && removals.by_ref().take(MOST_REMOVALS).all(|step| is_of_another(&step)) && {
            removals.next().is_none()
        }
    }

    /// Whether keys stand in the order in which they came, whatever came in events that are not read: whole numbers stand before all
    /// others, in some languages.
    pub(crate) fn are_ordered_by_coming<'k>(
        &self,
        object: ObjectId,
        mut keys: impl Iterator<Item = &'k PropertyKey>,
        unread: Range<EventId>,
    ) -> bool {
        !self.language().elements_stand_first()
            || keys.all(|key| key.name().is_some_and(|name| self.language().element_at(name).is_none()))
                && self.each_within(&Target::Numerals(object), unread).next().is_none()
    }

    /// The first that an object holds, where it holds more and that can be told without the whole; as `part_of` would give it.
    pub fn early_part(&self, object: ObjectId, n_wanted: usize, before: EventId) -> Option<Contents> {
        if n_wanted > MOST_EARLY {
            return None;
        }
        Some(self.as_known(self.first_properties(object, before, n_wanted)?, before))
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
        let Contents { object, class, name, prototype, properties, entries, stands_for, length, total, is_complete } =
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
            total: *total,
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
/// Of so many keys that were taken away it is asked which these were.
const MOST_REMOVALS: usize = 200;
