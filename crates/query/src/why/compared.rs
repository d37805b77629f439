//! Comparisons that failed: an error may carry what was found and what was expected, and the two tell where they differ.

use std::collections::HashSet;

use trace_model::{EventId, ExprId, FrameId, Key, Node, ObjectId};
use trace_store::{PropertyKey, Target};

use super::asserted::Given;
use super::value::is_constant;
use super::{Failure, Question, Search, cost};
use crate::change::{KeyChange, Seen};
use crate::{Contents, Datum, Place, Scene, Trace};

impl Search<'_, '_> {
    /// Asks for what an assertion found to be other than expected. `None` if the error tells nothing of it.
    pub(super) fn ask_about_comparison(&mut self, failure: &Failure, root: Option<usize>) -> Option<()> {
        let (actual, expected) = self.trace.compared(failure)?;
        let given = self.trace.given_to_assertion(failure);
        let before = failure.thrown.before;
        let n_differences = self.ask_about_differences(&actual, &expected, before, root);
        // What was found may have been read out of a library, where no more is known of it.
        let unknown = given.first().and_then(|given| given.iter().find(|given| given.is_unknown()));
        let is_given = given.iter().flatten().any(|given| given.value.as_ref() == Some(&actual));
        let name = unknown.and_then(|unknown| self.trace.name_of_given(unknown));
        self.parent = root;
        let is_of_library = unknown.is_some() || !is_given;
        let had = is_of_library.then(|| self.had_before(name.as_deref(), &actual, before)).flatten();
        // Of an object whose difference is known, the reference to it says less.
        let price = if n_differences > 0 { cost::BASE } else { 0.0 };
        let mut n_asked = n_differences + usize::from(had.is_some());
        for (value, price) in [(&actual, price), (&expected, price + cost::EXPECTED)] {
            let is_it = |given: &&Given| !given.is_constant && given.value.as_ref() == Some(value);
            if let Some(found) = given.iter().find_map(|given| given.iter().find(is_it)) {
                self.ask_about_given(found, price, before, root);
            } else if let Some((at, expression)) = self.trace.passed_on_the_way(failure, value) {
                self.ask(price, Question::Value { at, expression, behind: Some(before) }, root);
            } else if let Some(place) = given.first().and_then(|given| self.trace.part_of_given(given, value, before)) {
                self.ask(price, Question::Held { place, before }, root);
            } else if let Some(unknown) = given.first().and_then(|given| given.iter().find(|given| given.is_unknown()))
            {
                self.ask_about_given(unknown, price, before, root);
            } else {
                continue;
            }
            n_asked += 1;
        }
        if n_asked == 0 {
            // What was compared was made of it on the way.
            n_asked = self.ask_about_all(given.first()?, before, root);
        }
        (n_asked > 0).then_some(())
    }

    /// Asks for what a call chain was given that threw, where the error does not say what was compared.
    pub(super) fn ask_about_assertion(&mut self, failure: &Failure, root: Option<usize>) -> Option<Known> {
        let given = self.trace.given_to_assertion(failure).into_iter().next()?;
        let before = failure.thrown.before;
        if let (Some((found, actual)), Some(expected)) = compared_in(&given)
            && self.ask_about_differences(&actual, &expected, before, root) > 0
        {
            self.ask_about_given(&given[found], cost::BASE, before, root);
            return Some(Known::Difference);
        }
        (self.ask_about_all(&given, before, root) > 0).then_some(Known::Given)
    }

    /// Gives how many there are. What stands first is mostly what is asserted about.
    fn ask_about_all(&mut self, given: &[Given], before: EventId, root: Option<usize>) -> usize {
        let open: Vec<&Given> = given.iter().filter(|given| !given.is_constant).collect();
        for found in &open {
            self.ask_about_given(found, cost::operand(None, open.len(), false) - cost::COPY, before, root);
        }
        open.len()
    }

    fn ask_about_given(&mut self, given: &Given, price: f64, before: EventId, root: Option<usize>) {
        let Given { at, expression, .. } = *given;
        self.ask(price, Question::Value { at, expression, behind: Some(before) }, root);
    }

    /// Where two values differ that should have been the same. Gives how many places of objects were asked about.
    fn ask_about_differences(
        &mut self,
        actual: &Datum,
        expected: &Datum,
        before: EventId,
        root: Option<usize>,
    ) -> usize {
        let (Datum::Object(actual), Datum::Object(expected)) = (actual, expected) else {
            self.texts.differ(actual, expected);
            return 0;
        };
        let differences = self.trace.differences(*actual, *expected, before);
        let n_asked = differences.len();
        for (number, difference) in differences.into_iter().enumerate() {
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
        }
        n_asked
    }
}

/// Of what an assertion was given, what is asserted about, and what it was compared with: the first that is not written out, and the
/// next of the same type.
pub(super) fn compared_in(given: &[Given]) -> (Option<(usize, Datum)>, Option<Datum>) {
    let Some(actual) = given.iter().position(|given| !given.is_constant) else { return (None, None) };
    let Some(value) = given[actual].value.clone() else { return (None, None) };
    let is_like = |other: &Datum| std::mem::discriminant(other) == std::mem::discriminant(&value);
    let others = given.iter().enumerate().filter(|(number, _)| *number != actual);
    let expected = others.filter_map(|(_, given)| given.value.clone()).find(is_like);
    (Some((actual, value)), expected)
}

/// What is known of an assertion that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Where what it compared differs.
    Difference,
    /// What it was given.
    Given,
}

/// A key at which what was found is not what was expected.
pub(super) struct Difference {
    pub object: ObjectId,
    pub key: PropertyKey,
    /// `None`: there is none.
    pub found: Option<Datum>,
    pub wanted: Option<Datum>,
}

impl Trace<'_> {
    /// What the error of a failed comparison carries, itself or in an object of its own: what was found, and what was expected.
    pub(crate) fn compared(&self, failure: &Failure) -> Option<(Datum, Datum)> {
        let error = failure.error.as_ref()?.object()?;
        // As it was thrown; else as it was first given to it, since reporters make texts of it; else as it became: what is not recorded
        // may have changed it since, for all that is known.
        let (thrown, end) = (failure.thrown.before, self.thread.end());
        self.compared_at(error, thrown).or_else(|| self.first_pair_of(error)).or_else(|| self.compared_at(error, end))
    }

    /// What was found and what was expected, as an error was first given them.
    fn first_pair_of(&self, error: ObjectId) -> Option<(Datum, Datum)> {
        let first = |name: &str| {
            let key = PropertyKey::Name(name.into());
            let target = Target::Property(error, &key);
            let mut from = self.thread.first_event();
            for _ in 0..MOST_CHANGES {
                let step = self.next(&target, from)?;
                match self.key_change(&step, error, &key) {
                    KeyChange::Set(value) | KeyChange::Born(Some(value)) | KeyChange::Seen(Seen::Value(value)) => {
                        return Some(value).filter(|value| !matches!(value, Datum::NotCaptured | Datum::Accessor));
                    }
                    _ => from = EventId(step.id.0 + 1),
                }
            }
            None
        };
        let (found, wanted) = self.language().error_keys().compared?;
        Some((first(found)?, first(wanted)?))
    }

    fn compared_at(&self, error: ObjectId, at: EventId) -> Option<(Datum, Datum)> {
        self.pair_of(error, at).or_else(|| {
            let contents = self.contents(error, at)?;
            let own = contents.properties.iter().filter_map(|(_, slot)| slot.value.object());
            own.filter(|it| self.is_function(*it) != Some(true)).find_map(|it| self.pair_of(it, at))
        })
    }

    fn pair_of(&self, object: ObjectId, end: EventId) -> Option<(Datum, Datum)> {
        let carried = |name: &str| {
            let key = PropertyKey::Name(name.into());
            match self.own_property(object, &key, end) {
                crate::Property::Own { value: Datum::NotCaptured | Datum::Accessor, .. } => None,
                crate::Property::Own { value, .. } => Some(value),
                // Code that is not recorded may have changed it, for all that is known.
                crate::Property::NotCaptured(_) => self.seen_value(object, &key, end),
                _ => None,
            }
        };
        let (found, wanted) = self.language().error_keys().compared?;
        Some((carried(found)?, carried(wanted)?))
    }

    /// The name of the property that an assertion was given.
    fn name_of_given(&self, given: &Given) -> Option<String> {
        let code = self.code(self.anchor(&self.thread.step(given.at)?)?.site()?)?;
        match &code.expression(given.expression).node {
            Node::Member { key: Key::Name(name), .. } => Some(name.clone()),
            _ => None,
        }
    }

    /// A value that was read out of something that an assertion was given: its length, a property that it names.
    fn part_of_given(&self, given: &[Given], value: &Datum, before: EventId) -> Option<Place> {
        for object in given.iter().filter(|given| !given.is_constant).filter_map(|given| given.value.as_ref()?.object())
        {
            let contents = self.contents(object, before)?;
            if contents.length.is_some_and(|length| *value == Datum::Number(f64::from(length))) {
                let key = PropertyKey::Name(self.language().length_key()?.into());
                return Some(Place::Property { object, key });
            }
            let is_named = |key: &PropertyKey| match key {
                PropertyKey::Name(name) => {
                    given.iter().any(|given| matches!(&given.value, Some(Datum::String(text)) if **text == **name))
                }
                _ => false,
            };
            let named = contents.properties.into_iter().find(|(key, slot)| is_named(key) && slot.value == *value);
            if let Some((key, _)) = named {
                return Some(Place::Property { object, key });
            }
        }
        None
    }

    /// Where a value was passed to what compares: the outermost frame of those that failed knows best what it is.
    fn passed_on_the_way(&self, failure: &Failure, value: &Datum) -> Option<(EventId, ExprId)> {
        let before = failure.thrown.before;
        let mut frames: Vec<FrameId> = Vec::new();
        let mut frame = self.frame(failure.thrown.frame);
        while let Some(info) = frame {
            if self.is_own(info.unit) {
                frames.push(info.frame);
            }
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
    pub(super) fn differences(&self, actual: ObjectId, expected: ObjectId, before: EventId) -> Vec<Difference> {
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
        if is.length != should.length
            && is.length.is_some()
            && found.len() < MOST_DIFFERENCES
            && let Some(key) = self.language().length_key()
        {
            let length = |length: Option<u32>| length.map(|length| Datum::Number(f64::from(length)));
            let key = PropertyKey::Name(key.into());
            found.push(Difference { object: actual, key, found: length(is.length), wanted: length(should.length) });
        }
    }
}

const MOST_FRAMES: usize = 64;
const MOST_CHANGES: usize = 16;
const MOST_COMPARED: usize = 10_000;
const MOST_DIFFERENCES: usize = 3;
