//! Large objects that were looked at last. They stay as they are until their next event, so that a step elsewhere, or the next page,
//! does not make them from their birth on again.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use query::{Contents, Glimpse, Lasting};
use trace_model::{EventId, ObjectId, waiting};

use super::Moment;

#[derive(Default)]
pub(super) struct KeptContents(Mutex<Vec<Kept>>);

/// Of a thread.
type Kept = (usize, ObjectId, Arc<Lasting>);

const MOST_KEPT: usize = 4;
/// An object with more than this is kept.
const LARGE: usize = 1000;

impl KeptContents {
    fn get(&self, thread: usize, object: ObjectId, before: EventId) -> Option<Arc<Lasting>> {
        let kept = waiting::lock(&self.0);
        let is_it = |(number, of, lasting): &&Kept| (*number, *of) == (thread, object) && lasting.is_so_at(before);
        kept.iter().find(is_it).map(|(.., lasting)| lasting.clone())
    }

    /// The one that came first makes room.
    fn put(&self, thread: usize, object: ObjectId, lasting: Arc<Lasting>) {
        let mut kept = waiting::lock(&self.0);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((thread, object, lasting));
    }
}

impl Moment<'_> {
    /// The first of what an object holds: so many, or all if there are few.
    pub(super) fn glimpsed(&self, object: ObjectId, before: EventId, n_wanted: usize) -> Option<Contents> {
        let lasting = match self.kept.get(self.number, object, before) {
            Some(lasting) => lasting,
            None => match self.trace.glimpse(object, before, n_wanted)? {
                Glimpse::Seen(contents) => return Some(contents),
                Glimpse::Whole => self.lasting(object, before)?,
            },
        };
        Some(self.trace.part_of(&lasting, 0..n_wanted, before))
    }

    /// A part of what an object holds, and how much that is in all, where it is known: of a huge object that was not looked at yet the
    /// first part is there long before the rest. Any other part comes with the number.
    pub(super) fn part(
        &self,
        object: ObjectId,
        before: EventId,
        part: Range<usize>,
    ) -> Option<(Contents, Option<usize>)> {
        if part.start == 0
            && self.kept.get(self.number, object, before).is_none()
            && !self.trace.is_sparse()
            && let Some(early) = self.trace.early_part(object, part.end, before)
        {
            return Some((early, None));
        }
        let lasting = self.lasting(object, before)?;
        Some((self.trace.part_of(&lasting, part, before), Some(lasting.len())))
    }

    /// An object as its events made it. Of a run that recorded only a part it is not kept, as each question has to say what it lacks.
    pub(super) fn lasting(&self, object: ObjectId, before: EventId) -> Option<Arc<Lasting>> {
        if let Some(lasting) = self.kept.get(self.number, object, before) {
            return Some(lasting);
        }
        let lasting = Arc::new(self.trace.lasting(object, before)?);
        if !self.trace.is_sparse() && lasting.len() > LARGE {
            self.kept.put(self.number, object, lasting.clone());
        }
        Some(lasting)
    }
}
