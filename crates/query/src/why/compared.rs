//! Comparisons that failed: an error may carry what was found and what was expected, and the two tell where they differ.

use std::collections::HashSet;

use trace_model::{EventId, ExprId, FrameId, Node, ObjectId};
use trace_store::PropertyKey;

use super::value::is_constant;
use super::{Failure, Question, Search, cost};
use crate::{Contents, Datum, Place, Scene, Trace};

impl Search<'_, '_> {
    /// Asks for what an assertion found to be other than expected. `None` if the error tells nothing of it.
    pub(super) fn ask_about_comparison(&mut self, failure: &Failure, root: Option<usize>) -> Option<()> {
        let (actual, expected) = self.trace.compared(failure)?;
        let before = failure.thrown.before;
        let mut n_asked = 0;
        if let (Datum::Object(actual), Datum::Object(expected)) = (&actual, &expected) {
            for (number, difference) in self.trace.differences(*actual, *expected, before).into_iter().enumerate() {
                let price = number as f64 * cost::NEXT_DIFFERENCE;
                if let (Some(found), Some(wanted)) = (&difference.found, &difference.wanted) {
                    self.texts.differ(found, wanted);
                }
                let Difference { object, key, found, .. } = difference;
                let question = match (found, key) {
                    (None, key) => Question::Absent { object, key, before },
                    (Some(_), key) => Question::Held { place: Place::Property { object, key }, before },
                };
                self.ask(price, question, root);
                n_asked += 1;
            }
        } else {
            self.texts.differ(&actual, &expected);
        }
        // Of an object whose difference is known, the reference to it says less.
        let price = if n_asked > 0 { cost::BASE } else { 0.0 };
        for (value, price) in [(&actual, price), (&expected, price + cost::EXPECTED)] {
            let Some((at, expression)) = self.trace.passed_on_the_way(failure, value) else { continue };
            self.ask(price, Question::Value { at, expression, behind: Some(before) }, root);
            n_asked += 1;
        }
        (n_asked > 0).then_some(())
    }
}

/// A key at which what was found is not what was expected.
struct Difference {
    object: ObjectId,
    key: PropertyKey,
    /// `None`: there is none.
    found: Option<Datum>,
    wanted: Option<Datum>,
}

impl Trace<'_> {
    /// What the error of a failed comparison carries: what was found, and what was expected.
    fn compared(&self, failure: &Failure) -> Option<(Datum, Datum)> {
        let error = failure.error.as_ref()?.object()?;
        let end = self.thread.end();
        let carried = |name: &str| match self.own_property(error, &PropertyKey::Name(name.into()), end) {
            crate::Property::Own { value: Datum::NotCaptured | Datum::Accessor, .. } => None,
            crate::Property::Own { value, .. } => Some(value),
            _ => None,
        };
        Some((carried("actual")?, carried("expected")?))
    }

    /// Where a value was passed to what compares: the outermost frame of those that failed knows best what it is.
    fn passed_on_the_way(&self, failure: &Failure, value: &Datum) -> Option<(EventId, ExprId)> {
        let before = failure.thrown.before;
        let mut frames: Vec<FrameId> = Vec::new();
        let mut frame = self.frame(failure.thrown.frame);
        while let Some(info) = frame {
            frames.push(info.frame);
            if frames.len() >= MOST_FRAMES {
                break;
            }
            frame = self.caller_of(&info).and_then(|caller| self.frame(caller));
        }
        frames.into_iter().rev().find_map(|frame| self.passed_in(frame, value, before))
    }

    /// An argument in the statement that a frame is at that has this value.
    fn passed_in(&self, frame: FrameId, value: &Datum, before: EventId) -> Option<(EventId, ExprId)> {
        let step = self.previous_in_frame(frame, before)?;
        let code = self.code(step.site()?)?;
        let statement = &code.facts.statements[code.site_facts(step.site()?).statement? as usize];
        let evaluation = self.evaluation(&step);
        let scene = Scene { before, frame: Some(frame), unit: code.base(), within: None };
        for expression in &code.facts.expressions {
            let is_inside = statement.span.start <= expression.span.start && expression.span.end <= statement.span.end;
            let Node::Call(call) = &expression.node else { continue };
            if !is_inside || expression.function != statement.function {
                continue;
            }
            let is_it = |argument: &&ExprId| {
                !is_constant(&code, **argument)
                    && self.value_in(&code, scene, &evaluation, **argument).as_ref() == Ok(value)
            };
            if let Some(argument) = call.arguments.iter().find(is_it) {
                return Some((step.id, *argument));
            }
        }
        None
    }

    /// Where two objects differ, in the order of what was expected.
    fn differences(&self, actual: ObjectId, expected: ObjectId, before: EventId) -> Vec<Difference> {
        let mut found = Vec::new();
        self.add_differences(actual, expected, before, &mut HashSet::new(), &mut found);
        found
    }

    fn add_differences(
        &self,
        actual: ObjectId,
        expected: ObjectId,
        before: EventId,
        seen: &mut HashSet<(ObjectId, ObjectId)>,
        found: &mut Vec<Difference>,
    ) {
        if actual == expected || seen.len() >= MOST_COMPARED || !seen.insert((actual, expected)) {
            return;
        }
        let (Some(is), Some(should)) = (self.contents(actual, before), self.contents(expected, before)) else { return };
        let held = |contents: &Contents, key: &PropertyKey| {
            contents.properties.iter().find(|(known, _)| known == key).map(|(_, slot)| slot.value.clone())
        };
        for (key, slot) in &should.properties {
            let own = held(&is, key);
            match (own, &slot.value) {
                (Some(Datum::Object(own)), Datum::Object(other)) => {
                    self.add_differences(own, *other, before, seen, found);
                }
                (Some(own), other) if crate::same(&own, other) != Some(false) => {}
                (None, _) if !is.is_complete => {}
                (own, other) => {
                    found.push(Difference { object: actual, key: key.clone(), found: own, wanted: Some(other.clone()) })
                }
            }
            if found.len() >= MOST_DIFFERENCES {
                return;
            }
        }
        let more = is.properties.into_iter().filter(|(key, _)| should.is_complete && held(&should, key).is_none());
        for (key, slot) in more.take(MOST_DIFFERENCES - found.len()) {
            found.push(Difference { object: actual, key, found: Some(slot.value), wanted: None });
        }
        if is.length != should.length && is.length.is_some() && found.len() < MOST_DIFFERENCES {
            let length = |length: Option<u32>| length.map(|length| Datum::Number(f64::from(length)));
            let key = PropertyKey::Name("length".into());
            found.push(Difference { object: actual, key, found: length(is.length), wanted: length(should.length) });
        }
    }
}

const MOST_FRAMES: usize = 64;
const MOST_COMPARED: usize = 10_000;
const MOST_DIFFERENCES: usize = 3;
