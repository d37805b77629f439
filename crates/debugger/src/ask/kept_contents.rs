//! What large objects held at the moments that were looked at last.

use std::sync::{Arc, Mutex};

use query::Contents;
use trace_model::{EventId, ObjectId, waiting};

/// The thread, the object and the moment.
type Key = (usize, ObjectId, EventId);

#[derive(Default)]
pub(super) struct KeptContents(Mutex<Vec<(Key, Arc<Contents>)>>);

const MOST_KEPT: usize = 4;

impl KeptContents {
    pub fn get(&self, key: &Key) -> Option<Arc<Contents>> {
        let kept = waiting::lock(&self.0);
        kept.iter().find(|(known, _)| known == key).map(|(_, contents)| contents.clone())
    }

    /// The one that came first makes room.
    pub fn put(&self, key: Key, contents: Arc<Contents>) {
        let mut kept = waiting::lock(&self.0);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push((key, contents));
    }
}
