//! A person points at what is wrong of a call: `return`, `this.items[2]`, `cart.total`. The search goes on from there.

use query::judge::{CallEffects, CallEnd, Criterion, Node, slice};
use query::{Datum, Place};
use trace_model::EventId;
use trace_store::PropertyKey;

use super::question::QuestionShown;
use super::{Judge, Strategy};
use crate::Error;

impl Judge<'_> {
    /// What is wrong when the call of a question was over: a place, seen from the call, or `return`. It is kept with the run.
    pub fn point_at(&mut self, question: &QuestionShown, place: &str) -> Result<(), Error> {
        if self.strategy != Strategy::Slice {
            return Ok(());
        }
        let followed = self.follow(question.node, place);
        followed.ok_or_else(|| Error::NoSuchPlace {
            text: place.into(),
            why: "name what the question shows: return, this, an argument or a variable, and what is inside".into(),
        })?;
        self.store.add_place(self.moment.number, self.tree.entered(question.node).0, place)
    }

    /// Follows all places that were pointed at, and nothing else.
    pub(super) fn point_again(&mut self) {
        self.relevance = self.unpointed.clone();
        for (event, place) in self.store.places(self.moment.number) {
            if let Some(node) = self.tree.entered_at(EventId(event)) {
                // One that cannot be followed costs an order of questions.
                let _ = self.follow(node, &place);
            }
        }
    }

    fn follow(&mut self, node: Node, place: &str) -> Option<()> {
        let call = self.effects(node)?;
        let criterion = self.pointed(&call, place)?;
        let shares = slice(&self.moment.trace, &self.tree, criterion, self.n_steps_meanwhile());
        self.relevance.add_wrong(&shares);
        Some(())
    }

    fn pointed(&self, call: &CallEffects, text: &str) -> Option<Criterion> {
        let (root, keys) = parts(text)?;
        let value = match root {
            "return" => match &call.end {
                CallEnd::Returned(value) => value.clone(),
                CallEnd::Threw(_) | CallEnd::Unfinished => return None,
            },
            "this" => call.this.clone()?,
            name => {
                let argument = call.arguments.iter().find(|argument| argument.name == name);
                let variable = call.variables.iter().find(|variable| variable.name == name);
                argument.map(|argument| argument.entry.clone()).or_else(|| variable?.exit.clone())?
            }
        };
        let Some((last, path)) = keys.split_last() else {
            return Some(match root {
                "return" => Criterion::Returned { frame: call.frame, value: Some(value), before: call.over },
                _ => {
                    let Datum::Object(object) = value else { return None };
                    let first = self.moment.trace.contents(object, call.over)?.properties.into_iter().next()?.0;
                    Criterion::Place {
                        place: Place::Property { object, key: first },
                        value: Some(value),
                        before: call.over,
                    }
                }
            });
        };
        let mut value = value;
        for key in path {
            value = self.property(&value, key, call.over)?;
        }
        let place = Place::Property { object: value.object()?, key: PropertyKey::Name(last.clone()) };
        Some(Criterion::Place { place, value: self.property(&value, last, call.over), before: call.over })
    }

    fn property(&self, of: &Datum, key: &str, before: EventId) -> Option<Datum> {
        let property = self.moment.trace.own_property(of.object()?, &PropertyKey::Name(key.to_owned()), before);
        Some(property.value())
    }
}

/// `this.items[2]` as `this` and its keys.
fn parts(text: &str) -> Option<(&str, Vec<String>)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (root, mut rest) = text.split_at(end);
    let mut keys = Vec::new();
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let close = inside.find(']')?;
            keys.push(inside[..close].trim_matches(['"', '\'']).to_owned());
            rest = &inside[close + 1..];
        } else {
            let name = rest.strip_prefix('.')?;
            let end = name.find(['.', '[']).unwrap_or(name.len());
            keys.push(name[..end].to_owned());
            rest = &name[end..];
        }
    }
    (!root.is_empty()).then_some((root, keys))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn places_are_taken_apart() {
        let keys = |text| parts(text).map(|(root, keys)| format!("{root} {}", keys.join(" ")));
        assert_eq!(keys("return").as_deref(), Some("return "));
        assert_eq!(keys("this.items[2].price").as_deref(), Some("this items 2 price"));
        assert_eq!(keys(".left"), None);
    }
}
