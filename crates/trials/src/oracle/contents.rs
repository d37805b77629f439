//! An object as the query engine shows it, against what the oracle knows of it.

use query::{Contents, Datum};
use trace_model::EventId;

use super::model::Model;
use super::objects::{Object, last, length_key};
use super::values::{same, same_if_any};

/// What is different: the kind, and all about it.
pub fn difference(
    shown: Option<&Contents>,
    known: &Object,
    model: &Model,
    before: EventId,
) -> Option<(&'static str, String)> {
    let mut held = known.held(before);
    for (key, value) in &mut held {
        let since = known.properties.get(key).and_then(|entries| last(entries, before)).map(|entry| entry.event);
        if since.is_some_and(|since| model.is_lost(key, since, before)) {
            *value = Datum::NotCaptured;
        }
    }
    let Some(shown) = shown else {
        return (!held.is_empty()).then(|| ("nothing is known", format!("oracle {held:?}")));
    };
    if shown.length.is_some() {
        let length = held.remove(&length_key());
        if !same_if_any(&length, &shown.length.map(|length| Datum::Number(f64::from(length)))) {
            return Some(("another length", format!("query {:?}, oracle {length:?}", shown.length)));
        }
    }
    let properties = &shown.properties;
    if properties.len() != held.len() {
        return Some(("more or fewer properties", format!("query {properties:?}, oracle {held:?}")));
    }
    if !properties.iter().all(|(key, slot)| held.get(key).is_some_and(|value| same(value, &slot.value))) {
        return Some(("another property", format!("query {properties:?}, oracle {held:?}")));
    }
    let entries = known.held_entries(before);
    let are_same =
        |((a_key, a), (b_key, b)): (&(Datum, Datum), &(Datum, query::Slot))| same(a_key, b_key) && same(a, &b.value);
    if entries.len() != shown.entries.len() || !entries.iter().zip(&shown.entries).all(are_same) {
        return Some(("other entries", format!("query {:?}, oracle {entries:?}", shown.entries)));
    }
    let is_complete = known.is_complete(before) && !model.has_lost(before);
    (shown.is_complete != is_complete)
        .then(|| ("complete or not", format!("query {}, oracle {is_complete}", shown.is_complete)))
}
