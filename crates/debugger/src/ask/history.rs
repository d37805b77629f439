use query::{Place, Property, newest_changes};
use trace_model::EventId;

use super::shown::comparable;
use super::{Moment, Point};
use crate::page::{Cursor, Page, PageRequest};
use crate::rerun::EarlierAnswer;
use crate::{Error, QuestionKind, Value};

/// Every change of a place.
#[derive(Clone, Debug)]
pub struct HistoryAnswer {
    pub place: String,
    /// Oldest first; the first page has the newest of them, and the next one older ones.
    pub changes: Page<HistoryChange>,
}

#[derive(Clone, Debug)]
pub struct HistoryChange {
    pub point: Point,
    /// Nothing: it was not there before.
    pub old: Option<Value>,
    /// Nothing: it was removed.
    pub new: Option<Value>,
}

const LIST: &str = "history";

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

    /// The changes of a place up to the point, the newest of them.
    pub(crate) fn history(&self, asked: Option<&str>, page: &PageRequest) -> Result<HistoryAnswer, Error> {
        let before = match page.numbers(LIST)? {
            Some([thread, before]) if thread == self.number as u64 => EventId(before).min(self.at.scene.before),
            Some(_) => return Err(page.refused()),
            None => self.at.scene.before,
        };
        let (place, text) = self.place(asked)?;
        let place = self.holder_of(place);
        let (changes, has_more) = newest_changes(&self.trace, &place, before, page.limit());
        let mut shown: Vec<HistoryChange> = Vec::new();
        for (change, n_newer) in changes.iter().zip((0..changes.len()).rev()) {
            let change_shown = HistoryChange {
                point: self.point(&change.step),
                old: self.option_value(&change.old, change.step.id),
                new: self.option_value(&change.new, self.settled(&change.step)),
            };
            // What a built-in did has no place in the code by which another run would find it again.
            if change.step.site().is_none() && page.from.is_none() && n_newer < MOST_DEFINED {
                let kind =
                    QuestionKind::History { place: asked.map(str::to_owned), page: PageRequest::first(n_newer + 1) };
                self.define(Some(&change_shown.point), kind, n_newer, change_shown.found());
            }
            shown.push(change_shown);
        }
        let oldest = changes.first().filter(|_| has_more).map(|oldest| oldest.step.id);
        let next = oldest.map(|oldest| Cursor::at(LIST, [self.number as u64, oldest.0]));
        let n_all = (next.is_none() && page.from.is_none()).then_some(shown.len() as u64);
        Ok(HistoryAnswer { place: text, changes: Page { items: shown, next, n_all } })
    }
}
