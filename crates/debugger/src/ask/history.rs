use query::{Place, Property, newest_changes};

use super::{Point, Standpoint};
use crate::{Error, Value};

/// Every change of a place.
#[derive(Clone, Debug)]
pub struct HistoryAnswer {
    pub place: String,
    /// Oldest first.
    pub changes: Vec<HistoryChange>,
    /// Older ones were left out.
    pub has_more: bool,
}

#[derive(Clone, Debug)]
pub struct HistoryChange {
    pub point: Point,
    /// Nothing: it was not there before.
    pub old: Option<Value>,
    /// Nothing: it was removed.
    pub new: Option<Value>,
}

impl Standpoint<'_> {
    /// Of an inherited property, the one that the prototype has: its changes are what a person sees change.
    fn holder_of(&self, place: Place) -> Place {
        match &place {
            Place::Property { object, key } => match self.trace.property(*object, key, self.at.scene.before) {
                Property::Inherited { from, .. } => Place::Property { object: from, key: key.clone() },
                _ => place,
            },
            _ => place,
        }
    }

    /// The changes of a place up to the point, the newest `limit` of them.
    pub fn history(&self, place: Option<&str>, limit: Option<usize>) -> Result<HistoryAnswer, Error> {
        let (place, text) = self.place(place)?;
        let place = self.holder_of(place);
        let (changes, has_more) =
            newest_changes(&self.trace, &place, self.at.scene.before, limit.unwrap_or(usize::MAX));
        let shown = changes.iter().map(|change| HistoryChange {
            point: self.point(&change.step),
            old: self.option_value(&change.old, change.step.id),
            new: self.option_value(&change.new, self.settled(&change.step)),
        });
        Ok(HistoryAnswer { place: text, changes: shown.collect(), has_more })
    }
}
