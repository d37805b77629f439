//! Arrays and objects that a person types: made of values of the recording, and no objects of it.

use std::sync::Arc;

use trace_model::{BuiltinOp, Event, ExprId, Key, Node, ObjectClass, ObjectId, Record, is_redacted};
use trace_store::{PropertyKey, Step, Target};

use super::{Evaluator, Fault};
use crate::{Datum, Made};

impl Evaluator<'_, '_> {
    pub(super) fn array(&self, id: ExprId, elements: &[Option<ExprId>]) -> Result<Datum, Fault> {
        let mut values = Vec::new();
        for element in elements {
            match element.map(|element| (element, &self.expression(element).node)) {
                None => values.push(Datum::Undefined),
                Some((_, Node::Spread(of))) => values.extend(self.iterated(id, &self.value(*of)?)?),
                Some((element, _)) => values.push(self.value(element)?),
            }
        }
        Ok(Datum::Made(Arc::new(Made::Array(values))))
    }

    pub(super) fn object(&self, id: ExprId, entries: &[(Key, ExprId)]) -> Result<Datum, Fault> {
        let mut made: Vec<(String, Datum)> = Vec::new();
        let mut put = |name: String, value: Datum| match made.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => made.push((name, value)),
        };
        for (key, value) in entries {
            if let Node::Spread(of) = &self.expression(*value).node {
                self.copied(id, &self.value(*of)?)?.into_iter().for_each(|(name, value)| put(name, value));
                continue;
            }
            match self.key(key)? {
                PropertyKey::Name(name) => put(name, self.value(*value)?),
                PropertyKey::Symbol(_) => return Err(self.not_captured(id, "one of its keys is a symbol")),
            }
        }
        if self.trace.language().elements_stand_first() {
            let place = |name: &str| self.trace.language().element_at(name).map_or(u64::MAX, u64::from);
            made.sort_by_key(|(name, _)| place(name));
        }
        Ok(Datum::Made(Arc::new(Made::Object(made))))
    }

    pub(super) fn member_of_made(&self, id: ExprId, made: &Made, key: &PropertyKey) -> Result<Datum, Fault> {
        let unknown = || self.not_captured(id, "it is not part of what was typed");
        match (made, key) {
            (Made::Array(elements), key) if self.trace.is_length(key) => Ok(Datum::Number(elements.len() as f64)),
            (Made::Array(elements), key) => {
                let place = self.trace.element_at(key).ok_or_else(unknown)?;
                Ok(elements.get(place).cloned().unwrap_or(Datum::Undefined))
            }
            (Made::Object(entries), PropertyKey::Name(name)) => {
                let entry = entries.iter().find(|(known, _)| known == name);
                entry.map(|(_, value)| value.clone()).ok_or_else(unknown)
            }
            (Made::Object(_), PropertyKey::Symbol(_)) => Err(unknown()),
        }
    }

    /// What was computed, unless it is too large: a value may be made of itself many times over.
    pub(super) fn bounded(&self, id: ExprId, value: Datum) -> Result<Datum, Fault> {
        match Extent::default().add(&value, 0) {
            Ok(()) => Ok(value),
            Err(why) => Err(self.not_captured(id, why)),
        }
    }

    /// `[a, b] => …`: the element of what is given that so many come before.
    pub(super) fn part_of_pattern(&self, id: ExprId, of: ExprId, index: u32) -> Result<Datum, Fault> {
        let given = self.value(of)?;
        let class = |object| self.trace.contents(object, self.scene.before)?.class;
        match given {
            Datum::Undefined | Datum::Null => self.member(id, of, &given, &self.trace.element_key(index)),
            Datum::Object(object) if class(object) == Some(ObjectClass::Array) => {
                self.member(id, of, &given, &self.trace.element_key(index))
            }
            given => {
                let part = self.iterated(id, &given)?.into_iter().nth(index as usize);
                Ok(part.unwrap_or(Datum::Undefined))
            }
        }
    }

    /// What `...value` puts into an array.
    pub(super) fn iterated(&self, id: ExprId, value: &Datum) -> Result<Vec<Datum>, Fault> {
        match value {
            Datum::Made(made) => match &**made {
                Made::Array(elements) => Ok(elements.clone()),
                Made::Object(_) => Err(self.not_captured(id, "an object that was typed has no elements")),
            },
            Datum::String(text) if !is_redacted(text) => {
                let characters = self.trace.language().characters(text);
                characters.ok_or_else(|| self.not_captured(id, "a text has no elements"))
            }
            Datum::Object(object) => self.elements(id, *object),
            value => {
                let text = self.trace.text(value);
                Err(self.not_captured(id, &format!("{text} cannot be spread into elements")))
            }
        }
    }

    fn elements(&self, id: ExprId, object: ObjectId) -> Result<Vec<Datum>, Fault> {
        let contents = self.trace.contents(object, self.scene.before).filter(|contents| contents.is_complete);
        let contents = contents.ok_or_else(|| self.not_captured(id, "the contents of the object were not recorded"))?;
        let known = |value: Datum| match value {
            Datum::NotCaptured | Datum::Accessor => Err(self.not_captured(id, "an element was not recorded")),
            value => Ok(value),
        };
        match contents.class {
            Some(class) if self.trace.is_list(class) => {
                let length = contents.length.unwrap_or(0) as usize;
                // How long it is the program says, with a number.
                if length > contents.properties.len() + MOST_HOLES {
                    return Err(self.not_captured(id, "the list has too many holes to be spread"));
                }
                let mut elements = vec![Datum::Undefined; length];
                for (key, slot) in contents.properties {
                    if let Some(element) = self.trace.element_at(&key).and_then(|place| elements.get_mut(place)) {
                        *element = known(slot.value)?;
                    }
                }
                Ok(elements)
            }
            Some(ObjectClass::Set) => contents.entries.into_iter().map(|(key, _)| known(key)).collect(),
            Some(ObjectClass::Map) => {
                let pair = |(key, slot): (Datum, crate::Slot)| {
                    Ok(Datum::Made(Arc::new(Made::Array(vec![known(key)?, known(slot.value)?]))))
                };
                contents.entries.into_iter().map(pair).collect()
            }
            _ => Err(self.not_captured(id, "how the object is iterated is not recorded")),
        }
    }

    /// Whether an element of a list is missing, which is not the same as one that is undefined.
    pub(super) fn has_holes(&self, object: ObjectId) -> bool {
        let Some(contents) = self.trace.contents(object, self.scene.before) else { return false };
        let n_elements = contents.properties.iter().filter(|(key, _)| self.trace.is_element(key)).count();
        contents.length.is_some_and(|length| n_elements < length as usize)
    }

    /// What `...value` puts into an object.
    pub(super) fn copied(&self, id: ExprId, value: &Datum) -> Result<Vec<(String, Datum)>, Fault> {
        let key = |place| self.trace.language().element_key(place);
        let numbered = |elements: Vec<Datum>| (0..).zip(elements).map(move |(place, value)| (key(place), value));
        match value {
            Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) => Ok(Vec::new()),
            Datum::Made(made) => Ok(match &**made {
                Made::Array(elements) => numbered(elements.clone()).collect(),
                Made::Object(entries) => entries.clone(),
            }),
            Datum::Object(object) => {
                let values = self.own_values(id, *object)?;
                match values.iter().find(|(_, value)| matches!(value, Datum::NotCaptured | Datum::Accessor)) {
                    Some((name, _)) => Err(self.copy_unknown(id, name)),
                    None => Ok(values),
                }
            }
            value => {
                let text = self.trace.text(value);
                Err(self.not_captured(id, &format!("{text} cannot be spread into properties")))
            }
        }
    }

    fn copy_unknown(&self, id: ExprId, name: &str) -> Fault {
        self.not_captured(id, &format!("what a copy of {name} would hold was not recorded"))
    }

    /// What can be enumerated of what an object itself has, with values that may not be known.
    pub(super) fn own_values(&self, id: ExprId, object: ObjectId) -> Result<Vec<(String, Datum)>, Fault> {
        let contents = self.trace.contents(object, self.scene.before).filter(|contents| contents.is_complete);
        let contents = contents.ok_or_else(|| self.not_captured(id, "the contents of the object were not recorded"))?;
        use ObjectClass::{Array, Instance, Map, Plain, Set};
        if !matches!(contents.class, Some(Plain | Instance | Array | Map | Set)) {
            return Err(self.not_captured(id, "which properties of the object are copied is not recorded"));
        }
        let mut values = Vec::new();
        for (key, slot) in contents.properties {
            let name = match key {
                PropertyKey::Name(name) if self.trace.language().is_private(&name) => continue,
                PropertyKey::Name(name) => name,
                PropertyKey::Symbol(_) => return Err(self.not_captured(id, "one of its keys is a symbol")),
            };
            // A prototype has methods that cannot be enumerated.
            let is_of_prototype = self.trace.language().constructor_key() == Some(name.as_str());
            if is_of_prototype || self.may_be_defined(object, &name) {
                return Err(self.copy_unknown(id, &name));
            }
            values.push((name, slot.value));
        }
        Ok(values)
    }

    /// Whether a call may have defined a property. Whether it is enumerable then is not recorded, and stays so when another value is
    /// assigned.
    fn may_be_defined(&self, object: ObjectId, name: &str) -> bool {
        let key = PropertyKey::Name(name.to_owned());
        let target = Target::Property(object, &key);
        let is_definition =
            |step: Step| matches!(step.event, Event::Record(Record::Effect { op: BuiltinOp::DefineProperty, .. }));
        let mut changes = self.trace.each_before(&target, self.scene.before);
        changes.by_ref().take(MOST_CHANGES).any(is_definition)
            || changes.next().is_some() && self.trace.restricts_objects()
    }
}

/// Through more of a property's history it is not asked how it came.
const MOST_CHANGES: usize = 100_000;

/// How much a value consists of. What is part of it twice counts twice.
#[derive(Default)]
struct Extent {
    n_parts: usize,
    /// In bytes.
    text: usize,
}

impl Extent {
    fn add(&mut self, value: &Datum, depth: usize) -> Result<(), &'static str> {
        self.n_parts += 1;
        if let Datum::String(text) = value {
            self.text += text.len();
        }
        if self.n_parts > MOST_PARTS || self.text > LONGEST_TEXT {
            return Err("it would be too long");
        }
        let Datum::Made(made) = value else { return Ok(()) };
        if depth >= DEEPEST_MADE {
            return Err("it would be nested too deeply");
        }
        match &**made {
            Made::Array(elements) => elements.iter().try_for_each(|element| self.add(element, depth + 1)),
            Made::Object(entries) => entries.iter().try_for_each(|(name, value)| {
                self.text += name.len();
                self.add(value, depth + 1)
            }),
        }
    }
}

const DEEPEST_MADE: usize = 200;
const MOST_PARTS: usize = 1 << 18;
const LONGEST_TEXT: usize = 1 << 24;

/// A list of more is not spread: each hole becomes an element.
const MOST_HOLES: usize = 1 << 20;
