//! The language of the program, asked in the words of the engine.

use std::sync::Arc;

use trace_model::{
    ClassTraits, Datum, EventId, Member, ObjectClass, ObjectId, ObjectsThen, PropertyKey, Prototype, REDACTED_NUMBER,
    REDACTED_TEXT, Value, redaction_mark,
};
use trace_store::Thread;

use crate::{Property, Trace};

impl Trace<'_> {
    pub(crate) fn datum(&self, value: Value) -> Datum {
        datum(value, self.thread)
    }

    /// A value as the source would write it.
    pub fn text(&self, value: &Datum) -> String {
        self.language().text(value)
    }

    /// Which way a condition goes with a value. `None` where it cannot be told.
    pub fn truth_of(&self, value: &Datum) -> Option<bool> {
        self.language().truth(value)
    }

    /// The key that a value names.
    pub(crate) fn key(&self, value: Value) -> Option<PropertyKey> {
        self.language().key_of(&self.datum(value))
    }

    pub(crate) fn is_length(&self, key: &PropertyKey) -> bool {
        self.language().length_key().is_some_and(|length| key.is_name(length))
    }

    /// Whether it is the number of elements or of entries that an object has under a name.
    pub(crate) fn is_count(&self, name: &str) -> bool {
        [self.language().length_key(), self.language().size_key()].contains(&Some(name))
    }

    pub(crate) fn is_element(&self, key: &PropertyKey) -> bool {
        self.element_at(key).is_some()
    }

    /// Whether moving elements about changes what is under a key.
    pub(crate) fn is_of_elements(&self, key: &PropertyKey) -> bool {
        self.is_length(key) || self.is_element(key)
    }

    /// The place of the element that a key names, counted from 0.
    pub(crate) fn element_at(&self, key: &PropertyKey) -> Option<usize> {
        self.language().element_at(key.name()?).map(|place| place as usize)
    }

    pub(crate) fn element_key(&self, place: u32) -> PropertyKey {
        PropertyKey::Name(self.language().element_key(place))
    }

    pub(crate) fn class_traits(&self, class: ObjectClass) -> ClassTraits {
        self.language().class_traits(class)
    }

    /// Whether objects of a class are lists whose elements are values of any kind.
    pub(crate) fn is_list(&self, class: ObjectClass) -> bool {
        let traits = self.class_traits(class);
        traits.has_length && !traits.is_memory
    }

    /// What the class of an object was like when it was first seen, if that was by a look.
    pub(crate) fn traits_at_birth(&self, object: ObjectId) -> Option<ClassTraits> {
        self.class_at_birth(object).map(|class| self.class_traits(class))
    }

    /// Objects as they are right before an event, for operators.
    pub(crate) fn objects_then(&self, before: EventId) -> impl ObjectsThen {
        Then { trace: self, before }
    }
}

/// A value of the trace with its text.
pub fn datum(value: Value, thread: &Thread) -> Datum {
    let string = |id| thread.string(id).map(|text| Arc::from(&*text));
    match value {
        Value::Undefined => Datum::Undefined,
        Value::Null => Datum::Null,
        Value::Bool(truth) => Datum::Bool(truth),
        Value::Number(number) => Datum::Number(number),
        Value::String(id) => string(id).map_or(Datum::NotCaptured, Datum::String),
        Value::LongString { length: REDACTED_TEXT } => Datum::String(redaction_mark(0, 0).into()),
        Value::LongString { length: REDACTED_NUMBER } => Datum::Redacted,
        Value::LongString { length } => Datum::LongString { length },
        Value::Symbol(id) => Datum::Symbol(id, thread.symbol_description(id).map(|text| Arc::from(&*text))),
        Value::BigInt(id) => string(id).map_or(Datum::NotCaptured, Datum::BigInt),
        Value::Object(id) | Value::NewObject { id, .. } => Datum::Object(id),
        Value::Accessor => Datum::Accessor,
        Value::NotCaptured => Datum::NotCaptured,
    }
}

struct Then<'t, 'a> {
    trace: &'t Trace<'a>,
    before: EventId,
}

impl ObjectsThen for Then<'_, '_> {
    fn is_function(&self, object: ObjectId) -> Option<bool> {
        self.trace.is_function(object)
    }

    fn member(&self, object: ObjectId, key: &PropertyKey) -> Member {
        member(self.trace.property(object, key, self.before))
    }

    fn own_member(&self, object: ObjectId, key: &PropertyKey) -> Member {
        member(self.trace.own_property(object, key, self.before))
    }

    fn prototype(&self, object: ObjectId) -> Prototype {
        self.trace.prototype(object, self.before)
    }

    fn members(&self, object: ObjectId) -> Option<Vec<(PropertyKey, Datum)>> {
        let contents = self.trace.contents(object, self.before).filter(|contents| contents.is_complete)?;
        Some(contents.properties.into_iter().map(|(key, slot)| (key, slot.value)).collect())
    }
}

fn member(property: Property) -> Member {
    match property {
        Property::NotCaptured(why) => Member::NotCaptured(why),
        Property::Absent { .. } => Member::Absent,
        property => Member::Held(property.value()),
    }
}
