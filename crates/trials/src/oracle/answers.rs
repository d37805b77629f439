//! The oracle's answers, in the form in which they can be compared with those of the query engine.

use query::{Datum, LastChange, Place};
use trace_model::{EventId, ObjectId, Owner, VariableKind};
use trace_store::PropertyKey;

use super::model::Model;
use super::objects::{Entry, How, Proto, last};
use super::values::{entry_key, same, same_if_any};

#[derive(Clone, Debug)]
pub struct Answer {
    pub kind: &'static str,
    pub change: Option<Changed>,
}

#[derive(Clone, Debug)]
pub struct Changed {
    pub event: EventId,
    pub old: Option<Datum>,
    pub new: Option<Datum>,
    pub inherited_from: Option<ObjectId>,
}

impl Answer {
    fn none(kind: &'static str) -> Answer {
        Answer { kind, change: None }
    }

    /// What is different, in a word.
    pub fn difference(&self, other: &Answer) -> Option<String> {
        if self.kind != other.kind {
            return Some(format!("{} instead of {}", self.kind, other.kind));
        }
        match (&self.change, &other.change) {
            (None, None) => None,
            (Some(own), Some(other)) => own.difference(other).map(|what| format!("{} with another {what}", self.kind)),
            _ => Some("a change or none".into()),
        }
    }
}

impl Changed {
    pub fn difference(&self, other: &Changed) -> Option<&'static str> {
        if self.event != other.event {
            Some("event")
        } else if !same_if_any(&self.new, &other.new) {
            Some("new value")
        } else if !same_if_any(&self.old, &other.old) {
            Some("old value")
        } else {
            (self.inherited_from != other.inherited_from).then_some("holder")
        }
    }
}

pub fn of_query(answer: &LastChange) -> Answer {
    let kind = match answer {
        LastChange::Written(_) => "written",
        LastChange::CreatedWith(_) => "created-with",
        LastChange::NeverWritten { .. } => "never-written",
        LastChange::ByForeignCode { .. } => "by-foreign-code",
        LastChange::BeforeRecording => "before-recording",
        LastChange::NotCaptured { .. } => "not-captured",
    };
    Answer { kind, change: answer.change().map(changed) }
}

pub fn changed(change: &query::Change) -> Changed {
    Changed {
        event: change.step.id,
        old: change.old.clone(),
        new: change.new.clone(),
        inherited_from: change.inherited_from,
    }
}

impl Model<'_> {
    pub fn last_change(&self, place: &Place, before: EventId) -> Answer {
        match place {
            Place::Variable { place: variable, .. } => match self.own(place, before) {
                Own::Has(answer) => answer,
                _ => {
                    let code = self.thread.code().unit(variable.unit).and_then(|unit| unit.code().ok());
                    let declared = code.map(|code| code.sites.variable(variable.variable));
                    Answer::none(match declared.map(|declared| (declared.kind, declared.owner)) {
                        Some((VariableKind::Var | VariableKind::Let | VariableKind::Const, owner))
                            if owner != Owner::Global =>
                        {
                            "never-written"
                        }
                        _ => "not-captured",
                    })
                }
            },
            Place::Property { object, key } => self.property_change(*object, key, before),
            Place::Entry { .. } => match self.own(place, before) {
                Own::Has(answer) | Own::Gone(Some(answer)) => answer,
                Own::Gone(None) => Answer::none("never-written"),
                Own::Unknown => Answer::none("not-captured"),
            },
            Place::Global { .. } => Answer::none("not-captured"),
        }
    }

    /// Every change of the place itself, oldest first.
    pub fn history(&self, place: &Place, before: EventId) -> Vec<Changed> {
        let entries = self.entries(place);
        let known: Vec<&Entry> = entries.iter().filter(|entry| entry.shown < before).collect();
        let old = |at: usize| at.checked_sub(1).and_then(|earlier| known[earlier].new.clone());
        let change = |(at, entry): (usize, &&Entry)| Changed {
            event: entry.event,
            old: old(at).filter(|_| entry.how != How::Begin),
            new: entry.new.clone(),
            inherited_from: None,
        };
        known.iter().enumerate().map(change).collect()
    }

    fn entries(&self, place: &Place) -> &[Entry] {
        match place {
            Place::Variable { place, .. } => {
                self.variables.get(&(place.unit, place.variable, place.owner)).map_or(&[], Vec::as_slice)
            }
            Place::Property { object, key } => {
                self.objects.get(object).and_then(|object| object.properties.get(key)).map_or(&[], Vec::as_slice)
            }
            Place::Entry { object, key } => {
                let key = entry_key(key.clone());
                let entries = self.objects.get(object).map_or(&[][..], |object| &object.entries);
                entries.iter().find(|(held, _)| same(held, &key)).map_or(&[], |(_, entries)| entries)
            }
            Place::Global { .. } => &[],
        }
    }

    /// The place alone, without what it inherits.
    fn own(&self, place: &Place, before: EventId) -> Own {
        let entries = self.entries(place);
        let Some(entry) = last(entries, before) else {
            let is_told = match place {
                Place::Property { object, key } => {
                    self.objects.get(object).is_some_and(|object| object.tells_of(key, before))
                }
                Place::Entry { object, .. } => {
                    self.objects.get(object).is_some_and(|object| object.is_complete(before))
                }
                _ => false,
            };
            let born = |object: &ObjectId| self.objects.get(object).and_then(|object| object.born);
            let is_lost = |object, key| self.is_lost(key, born(object).unwrap_or(EventId(0)), before);
            let is_lost = matches!(place, Place::Property { object, key } if is_lost(object, key));
            return if is_told && !is_lost { Own::Gone(None) } else { Own::Unknown };
        };
        if let Place::Property { key, .. } = place {
            // Whether there was anything to remove is not known either.
            let earlier = last(entries, entry.event).map_or(EventId(0), |earlier| earlier.shown);
            let is_removal_lost = entry.new.is_none() && self.is_lost(key, earlier, entry.event);
            if is_removal_lost || self.is_lost(key, entry.shown, before) {
                return Own::Unknown;
            }
        }
        let kind = match entry.how {
            How::Birth => "created-with",
            How::Write | How::Begin => "written",
            How::Foreign => "by-foreign-code",
        };
        let change = self.history(place, EventId(entry.shown.0 + 1)).pop();
        let answer = Answer { kind, change };
        if entry.new.is_some() { Own::Has(answer) } else { Own::Gone(Some(answer)) }
    }

    fn property_change(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Answer {
        let own = |object: ObjectId| self.own(&Place::Property { object, key: key.clone() }, before);
        let gone = match own(object) {
            Own::Has(answer) => return answer,
            Own::Unknown => return Answer::none("not-captured"),
            Own::Gone(gone) => gone,
        };
        let mut holder = object;
        while let Proto::Object(prototype) =
            self.objects.get(&holder).map_or(Proto::Unknown, |known| known.prototype(before))
        {
            holder = prototype;
            match own(prototype) {
                Own::Has(mut answer) => {
                    if let Some(change) = &mut answer.change {
                        change.inherited_from = Some(prototype);
                    }
                    return answer;
                }
                Own::Unknown => return Answer::none("not-captured"),
                Own::Gone(_) => {}
            }
        }
        gone.unwrap_or(Answer::none("never-written"))
    }
}

enum Own {
    Has(Answer),
    /// It is not there; what took it away, if it ever was.
    Gone(Option<Answer>),
    Unknown,
}
