//! Answers that hold for a stretch of the run and are asked for again and again within it.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use trace_model::EventId;

/// The newest answer to each question, with the events between which nothing changes it.
pub(crate) struct ValidBetween<K, V>(Mutex<HashMap<K, (Range<EventId>, V)>>);

impl<K: Eq + Hash, V: Copy> ValidBetween<K, V> {
    /// What held right before an event.
    pub fn get(&self, question: &K, before: EventId) -> Option<V> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (lasts, answer) = known.get(question)?;
        (lasts.start < before && before <= lasts.end).then_some(*answer)
    }

    /// `lasts`: from the event that made it so to the next one that may make it otherwise.
    pub fn put(&self, question: K, lasts: Range<EventId>, answer: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(question, (lasts, answer));
    }
}

impl<K, V> Default for ValidBetween<K, V> {
    fn default() -> Self {
        ValidBetween(Mutex::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_from_behind_the_event_that_made_it_so_up_to_the_one_that_may_end_it() {
        let lasting: ValidBetween<&str, i32> = ValidBetween::default();
        lasting.put("x", EventId(10)..EventId(20), 7);
        let known = [9, 10, 11, 20, 21].map(|before| lasting.get(&"x", EventId(before)));
        assert_eq!(known, [None, None, Some(7), Some(7), None]);
        assert_eq!(lasting.get(&"y", EventId(15)), None);
    }
}
