//! Arrays and objects that a person types: made of values of the recording, and no objects of it.

use std::sync::Arc;

use trace_model::{BuiltinOp, Event, ExprId, Key, Node, ObjectClass, ObjectId, Record, is_redacted};
use trace_store::PropertyKey;

use super::{Evaluator, Fault};
use crate::change::{index_of, is_length};
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
        Ok(Datum::Made(Arc::new(Made::Object(made))))
    }

    pub(super) fn member_of_made(&self, id: ExprId, made: &Made, key: &PropertyKey) -> Result<Datum, Fault> {
        let unknown = || self.not_captured(id, "it is not part of what was typed");
        match (made, key) {
            (Made::Array(elements), key) if is_length(key) => Ok(Datum::Number(elements.len() as f64)),
            (Made::Array(elements), PropertyKey::Name(name)) => {
                let index = index_of(name).ok_or_else(unknown)?;
                Ok(elements.get(index as usize).cloned().unwrap_or(Datum::Undefined))
            }
            (Made::Object(entries), PropertyKey::Name(name)) => {
                let entry = entries.iter().find(|(known, _)| known == name);
                entry.map(|(_, value)| value.clone()).ok_or_else(unknown)
            }
            (_, PropertyKey::Symbol(_)) => Err(unknown()),
        }
    }

    /// What `...value` puts into an array.
    fn iterated(&self, id: ExprId, value: &Datum) -> Result<Vec<Datum>, Fault> {
        match value {
            Datum::Made(made) => match &**made {
                Made::Array(elements) => Ok(elements.clone()),
                Made::Object(_) => Err(self.not_captured(id, "an object that was typed has no elements")),
            },
            Datum::String(text) if !is_redacted(text) => {
                Ok(text.chars().map(|c| Datum::String(c.to_string().into())).collect())
            }
            Datum::Object(object) => self.elements(id, *object),
            value => Err(self.not_captured(id, &format!("{} cannot be spread into elements", value.text()))),
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
            Some(ObjectClass::Array | ObjectClass::Arguments) => {
                let mut elements = vec![Datum::Undefined; contents.length.unwrap_or(0) as usize];
                for (key, slot) in contents.properties {
                    let PropertyKey::Name(name) = key else { continue };
                    if let Some(element) = index_of(&name).and_then(|index| elements.get_mut(index as usize)) {
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

    /// What `...value` puts into an object.
    fn copied(&self, id: ExprId, value: &Datum) -> Result<Vec<(String, Datum)>, Fault> {
        let numbered = |elements: Vec<Datum>| (0..).zip(elements).map(|(i, value): (u32, _)| (i.to_string(), value));
        match value {
            Datum::Undefined | Datum::Null | Datum::Bool(_) | Datum::Number(_) => Ok(Vec::new()),
            Datum::Made(made) => Ok(match &**made {
                Made::Array(elements) => numbered(elements.clone()).collect(),
                Made::Object(entries) => entries.clone(),
            }),
            Datum::Object(object) => self.own_values(id, *object),
            value => Err(self.not_captured(id, &format!("{} cannot be spread into properties", value.text()))),
        }
    }

    fn own_values(&self, id: ExprId, object: ObjectId) -> Result<Vec<(String, Datum)>, Fault> {
        let contents = self.trace.contents(object, self.scene.before).filter(|contents| contents.is_complete);
        let contents = contents.ok_or_else(|| self.not_captured(id, "the contents of the object were not recorded"))?;
        if !matches!(contents.class, Some(ObjectClass::Plain | ObjectClass::Instance | ObjectClass::Array)) {
            return Err(self.not_captured(id, "which properties of the object are copied is not recorded"));
        }
        let mut values = Vec::new();
        for (key, slot) in contents.properties {
            let name = match key {
                PropertyKey::Name(name) if name.starts_with('#') => continue,
                PropertyKey::Name(name) => name,
                PropertyKey::Symbol(_) => return Err(self.not_captured(id, "one of its keys is a symbol")),
            };
            // Whether it is enumerable is not recorded.
            let since = self.trace.thread.step(slot.since);
            let is_defined = since.is_some_and(|since| {
                matches!(since.event, Event::Record(Record::Effect { op: BuiltinOp::DefineProperty, .. }))
            });
            if is_defined || matches!(slot.value, Datum::NotCaptured | Datum::Accessor) {
                return Err(self.not_captured(id, &format!("what a copy of {name} would hold was not recorded")));
            }
            values.push((name, slot.value));
        }
        Ok(values)
    }
}
