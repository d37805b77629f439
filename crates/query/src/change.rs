//! What one event did to a property: the single place that knows how each kind of event changes an object.

use trace_model::{BuiltinOp, Event, LookTakes, ObjectClass, ObjectId, Record, SiteKind, TailValues, Value};
use trace_store::{PropertyKey, Step};

use crate::objects::stepped;
use crate::{Datum, Trace};

/// What an event says of one key of one object.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum KeyChange {
    /// The key holds this from now on.
    Set(Datum),
    /// `++` and `--`: the value before, and the difference.
    Stepped {
        old: Datum,
        by: f64,
    },
    Removed,
    /// The object was born, and has the key with this value, or not at all.
    Born(Option<Datum>),
    /// The object was looked at: foreign code may have changed it since it was seen before.
    Seen(Seen),
    /// Elements moved: what it means for the key follows from the array as a whole.
    Moved,
    /// A key was written or deleted that is not known: an object, whose text was the key.
    Perhaps,
    Nothing,
}

impl KeyChange {
    /// Whether there is a value behind the event.
    pub fn leaves_value(&self) -> bool {
        matches!(
            self,
            KeyChange::Set(_) | KeyChange::Stepped { .. } | KeyChange::Born(Some(_)) | KeyChange::Seen(Seen::Value(_))
        )
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Seen {
    Value(Datum),
    Absent,
    /// The look did not take everything.
    Cut,
    /// A look at an object of this class does not take such keys.
    NotTaken,
}

impl Trace<'_> {
    /// What an event did to a key of an object that it concerns.
    pub(crate) fn key_change(&self, step: &Step, object: ObjectId, key: &PropertyKey) -> KeyChange {
        match &step.event {
            Event::Site { value, tail, .. } => self.site_change(step, *value, tail, object, key),
            Event::Record(Record::Look { object: seen, size, entries, class, is_cut, .. }) if *seen == object => {
                // Entries of a Map or Set are no properties.
                let is_keyed = !class.has_entries();
                let is_it = |entry: Value| is_keyed && self.key(entry).as_ref() == Some(key);
                KeyChange::Seen(match entries.iter().find(|(entry, _)| is_it(*entry)) {
                    Some((_, value)) => Seen::Value(self.datum(*value)),
                    None if self.is_length(key) && self.class_traits(*class).has_length => {
                        Seen::Value(Datum::Number(f64::from(*size)))
                    }
                    None if !self.looks_at(*class, key) => Seen::NotTaken,
                    None if *is_cut => Seen::Cut,
                    None => Seen::Absent,
                })
            }
            Event::Record(Record::Effect { object: changed, op, values }) if *changed == object => {
                self.effect_change(*op, values, key)
            }
            Event::Record(_) => KeyChange::Nothing,
        }
    }

    fn site_change(
        &self,
        step: &Step,
        value: Option<Value>,
        tail: &TailValues,
        object: ObjectId,
        key: &PropertyKey,
    ) -> KeyChange {
        let Some(site) = step.site().and_then(|site| self.site(site)) else { return KeyChange::Nothing };
        let new = || value.map_or(Datum::NotCaptured, |value| self.datum(value));
        let written_key = match tail {
            TailValues::Object(Some(written)) if *written == object => {
                site.site.names.first().map(|name| PropertyKey::Name(site.name(*name).into()))
            }
            TailValues::ObjectAndKey(Some(written), key) if *written == object => match self.key(*key) {
                Some(key) => Some(key),
                None => return KeyChange::Perhaps,
            },
            TailValues::Values(values) if value.and_then(Value::object) == Some(object) => {
                return KeyChange::Born(self.born_with(&site, values, key));
            }
            _ => {
                let is_born = matches!(value, Some(Value::NewObject { id, .. }) if id == object);
                return if is_born { KeyChange::Born(None) } else { KeyChange::Nothing };
            }
        };
        if written_key.as_ref() != Some(key) || self.is_beyond_memory(object, key) {
            return KeyChange::Nothing;
        }
        match site.site.kind {
            SiteKind::Put | SiteKind::PutComputed | SiteKind::Field => KeyChange::Set(self.stored(object, new())),
            SiteKind::PutIncrement | SiteKind::PutComputedIncrement => self.stepped(object, new(), 1.0),
            SiteKind::PutDecrement | SiteKind::PutComputedDecrement => self.stepped(object, new(), -1.0),
            SiteKind::Delete | SiteKind::DeleteComputed if new() == Datum::Bool(true) => KeyChange::Removed,
            _ => KeyChange::Nothing,
        }
    }

    /// What an object keeps of what is written to it.
    fn stored(&self, object: ObjectId, value: Datum) -> Datum {
        match self.traits_at_birth(object) {
            // What became of it there is not known.
            Some(traits) if traits.passes_on => Datum::NotCaptured,
            Some(traits) if traits.is_memory => self.stored_in_memory(object, &value),
            _ => value,
        }
    }

    fn stepped(&self, object: ObjectId, old: Datum, by: f64) -> KeyChange {
        match self.traits_at_birth(object) {
            Some(traits) if traits.is_memory => KeyChange::Set(self.stored(object, stepped(&old, by))),
            _ => KeyChange::Stepped { old, by },
        }
    }

    pub(crate) fn class_at_birth(&self, object: ObjectId) -> Option<ObjectClass> {
        self.remembered_class(object, || match self.birth(object)?.event {
            Event::Record(Record::Look { class, .. }) => Some(class),
            _ => None,
        })
    }

    fn born_with(&self, site: &trace_store::SiteRef, values: &[Value], key: &PropertyKey) -> Option<Datum> {
        let at = match site.site.kind {
            SiteKind::ObjectLiteral => site.site.names.iter().position(|name| key.is_name(site.name(*name))),
            _ if self.is_length(key) => return Some(Datum::Number(values.len() as f64)),
            _ => self.element_at(key),
        };
        values.get(at?).map(|value| self.datum(*value))
    }

    /// Whether a look at an object of a class takes such a key.
    fn looks_at(&self, class: ObjectClass, key: &PropertyKey) -> bool {
        match self.class_traits(class).look {
            LookTakes::Members => true,
            LookTakes::Elements => self.is_element(key),
            LookTakes::Nothing => false,
        }
    }

    fn effect_change(&self, op: BuiltinOp, values: &[Value], key: &PropertyKey) -> KeyChange {
        let concerns = || values.first().and_then(|value| self.key(*value)).as_ref() == Some(key);
        match op {
            BuiltinOp::DefineProperty | BuiltinOp::SetProperty if concerns() => {
                KeyChange::Set(values.get(1).map_or(Datum::NotCaptured, |value| self.datum(*value)))
            }
            BuiltinOp::DeleteProperty if concerns() => KeyChange::Removed,
            BuiltinOp::Push | BuiltinOp::Pop | BuiltinOp::Shift | BuiltinOp::Unshift | BuiltinOp::Splice
                if self.is_of_elements(key) =>
            {
                KeyChange::Moved
            }
            _ => KeyChange::Nothing,
        }
    }
}
