use query::{Place, Property};
use trace_model::did_you_mean;
use trace_store::PropertyKey;

use super::Moment;
use super::shown::key_text;

/// Enough for any class, and an end for a chain of proxies.
const MOST_PROTOTYPES: usize = 32;

impl Moment<'_> {
    /// A property that no object of its chain has is no mistake of the program where it is one of the question.
    pub(crate) fn note_if_mistyped(&self, place: &Place, text: &str) {
        // A look for more would need more hooks.
        if self.trace.is_sparse() {
            return;
        }
        let Place::Property { object, key: key @ PropertyKey::Name(name) } = place else { return };
        let before = self.at.scene.before;
        if !matches!(self.trace.property(*object, key, before), Property::Absent { .. }) {
            return;
        }
        let mut keys = Vec::new();
        let mut holder = Some(*object);
        for _ in 0..MOST_PROTOTYPES {
            let Some(contents) = holder.and_then(|holder| self.trace.contents(holder, before)) else { break };
            keys.extend(contents.properties.iter().map(|(key, _)| key_text(self.trace.language(), key)));
            holder = contents.prototype;
        }
        let near = did_you_mean(name, keys.iter().map(String::as_str));
        if !near.is_empty() {
            self.note(format!("there is no {text}{near}"));
        }
    }
}
