use query::{Place, Property, newest_changes};

use super::shown::comparable;
use super::{Moment, Point};
use crate::rerun::EarlierAnswer;
use crate::{Error, QuestionKind, Value};

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

/// Of a long history only the newest changes are found again in another run.
const MOST_DEFINED: usize = 100;

impl HistoryChange {
    pub(crate) fn found(&self) -> EarlierAnswer {
        EarlierAnswer { place: self.point.place(), value: self.new.as_ref().map_or("nothing".into(), comparable) }
    }
}

impl Moment<'_> {
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
    pub(crate) fn history(&self, asked: Option<&str>, limit: Option<usize>) -> Result<HistoryAnswer, Error> {
        let (place, text) = self.place(asked)?;
        let place = self.holder_of(place);
        let (changes, has_more) =
            newest_changes(&self.trace, &place, self.at.scene.before, limit.unwrap_or(usize::MAX));
        let mut shown: Vec<HistoryChange> = Vec::new();
        for (change, n_newer) in changes.iter().zip((0..changes.len()).rev()) {
            let change_shown = HistoryChange {
                point: self.point(&change.step),
                old: self.option_value(&change.old, change.step.id),
                new: self.option_value(&change.new, self.settled(&change.step)),
            };
            // What a built-in did has no place in the code by which another run would find it again.
            if change.step.site().is_none() && n_newer < MOST_DEFINED {
                let kind = QuestionKind::History { place: asked.map(str::to_owned), limit: Some(n_newer + 1) };
                self.define(Some(&change_shown.point), kind, n_newer, change_shown.found());
            }
            shown.push(change_shown);
        }
        Ok(HistoryAnswer { place: text, changes: shown, has_more })
    }
}
