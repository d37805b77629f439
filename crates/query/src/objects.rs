//! Objects at a moment: one property, or all contents.
//!
//! One property is the newest event that concerns it; elements of arrays may have been moved by built-ins, so an array is
//! replayed from where it was last known as a whole.

use trace_model::{BuiltinOp, Event, EventId, ObjectClass, ObjectId, Prototype, Record, SiteKind, TailValues, Value};
use trace_store::{PropertyKey, Step, Target};

use crate::change::{KeyChange, Seen};
use crate::unrecorded::UNRECORDED;
use crate::unseen_writes::IN_CONTEXT;
use crate::{Datum, Trace};

/// What a property of an object holds at a moment.
#[derive(Clone, Debug)]
pub enum Property {
    /// The object has it, since this event.
    Own { value: Datum, since: Step },
    /// A prototype has it.
    Inherited { value: Datum, from: ObjectId, since: Step },
    /// Neither the object nor a prototype has it; the event says so: a removal, or the birth.
    Absent { since: Option<Step> },
    /// What the recording does not hold.
    NotCaptured(&'static str),
}

impl Property {
    pub fn value(&self) -> Datum {
        match self {
            Property::Own { value, .. } | Property::Inherited { value, .. } => value.clone(),
            Property::Absent { .. } => Datum::Undefined,
            Property::NotCaptured(_) => Datum::NotCaptured,
        }
    }

    pub fn since(&self) -> Option<&Step> {
        match self {
            Property::Own { since, .. } | Property::Inherited { since, .. } => Some(since),
            Property::Absent { since } => since.as_ref(),
            Property::NotCaptured(_) => None,
        }
    }
}

/// An object as a whole.
#[derive(Clone, Debug)]
pub struct Contents {
    pub object: ObjectId,
    pub class: Option<ObjectClass>,
    /// The name of its constructor or of the function, where the recording has it.
    pub name: Option<String>,
    pub prototype: Option<ObjectId>,
    /// In the order of the language: elements of an array first, then as they came; one that was deleted and added again came last.
    pub properties: Vec<(PropertyKey, Slot)>,
    /// Of a Map: keys and values; of a Set: elements and `true`.
    pub entries: Vec<(Datum, Slot)>,
    /// What a Date, RegExp or boxed primitive stands for.
    pub stands_for: Option<Datum>,
    pub length: Option<u32>,
    /// How many elements, entries or properties there are, those included that were not recorded. `None`: nothing tells.
    pub total: Option<Total>,
    /// Whether all of it is known.
    pub is_complete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total {
    pub n: u32,
    /// There are not more.
    pub is_exact: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub value: Datum,
    pub since: EventId,
}

impl Trace<'_> {
    /// The property as reading it would find it.
    pub fn property(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Property {
        let first = self.own_property(object, key, before);
        if !matches!(first, Property::Absent { .. }) || self.is_element(key) && self.is_array(object) {
            return first;
        }
        let mut holder = object;
        for _ in 0..MOST_PROTOTYPES {
            match self.prototype(holder, before) {
                Prototype::Object(prototype) => holder = prototype,
                Prototype::None => return first,
                Prototype::BuiltIn | Prototype::Unknown => {
                    return if self.may_be_built_in(key, self.is_array(object)) {
                        Property::NotCaptured("it may be inherited from a built-in, which is not recorded")
                    } else {
                        first
                    };
                }
            }
            match self.own_property(holder, key, before) {
                Property::Own { value, since } => return Property::Inherited { value, from: holder, since },
                Property::Absent { .. } => {}
                // A prototype that was never looked at says nothing.
                unknown => return unknown,
            }
        }
        first
    }

    pub fn own_property(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Property {
        if self.may_be_evaluated(key, before) {
            return Property::NotCaptured(UNRECORDED);
        }
        if self.is_element(key) && self.shares_memory(object) {
            return Property::NotCaptured("its memory may have been written through another object");
        }
        let known = self.own_property_by_events(object, key, before);
        let since = known.since().map(|since| since.id);
        if self.is_some_object_written(key, since, before) || self.may_be_written_unrecorded(key, since, before) {
            return Property::NotCaptured(UNRECORDED);
        }
        if self.may_be_changed_in_context(object, &known, before) {
            return Property::NotCaptured(IN_CONTEXT);
        }
        if self.is_written_through_proxy(object, key, &known, before) {
            return Property::NotCaptured("it may have been written through a proxy");
        }
        known
    }

    fn own_property_by_events(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Property {
        if self.is_of_elements(key)
            && let Some(property) = self.element(object, key, before)
        {
            return self.with_parameter(object, key, before, property);
        }
        // A look that shows the same as before is no news of who wrote it, and neither is one that shows nothing of who removed it:
        // the oldest event since which it is so.
        let mut seen: Option<(Datum, Step)> = None;
        let mut absent: Option<Step> = None;
        let mut is_seen = false;
        for step in self.each_before(&Target::Property(object, key), before) {
            let change = match self.key_change(&step, object, key) {
                KeyChange::Set(_) | KeyChange::Stepped { .. } if self.is_ignored_write(&step, object, key) => continue,
                change => change,
            };
            if absent.is_some() && change.leaves_value() {
                break;
            }
            match change {
                KeyChange::Nothing | KeyChange::Moved => {}
                KeyChange::Seen(Seen::NotTaken) => is_seen = true,
                KeyChange::Set(value) | KeyChange::Born(Some(value)) => return own(value, step, seen),
                KeyChange::Stepped { old, by } => return own(stepped(&old, by), step, seen),
                KeyChange::Removed | KeyChange::Seen(Seen::Absent) if seen.is_none() => absent = Some(step),
                KeyChange::Born(None) if seen.is_none() => {
                    absent = Some(step);
                    break;
                }
                KeyChange::Seen(Seen::Value(value)) => match &seen {
                    Some((newer, _)) if *newer != value => break,
                    _ => seen = Some((value, step)),
                },
                KeyChange::Seen(Seen::Cut) if seen.is_none() => {
                    return Property::NotCaptured("the object was too large to be captured as a whole");
                }
                KeyChange::Perhaps if seen.is_none() && absent.is_none() => {
                    return Property::NotCaptured("it may have been written under a key that is an object");
                }
                KeyChange::Removed
                | KeyChange::Born(None)
                | KeyChange::Seen(Seen::Absent | Seen::Cut)
                | KeyChange::Perhaps => break,
            }
        }
        match (seen, absent) {
            (Some((value, since)), _) => Property::Own { value, since },
            (None, Some(since)) => Property::Absent { since: Some(since) },
            (None, None) if is_seen => {
                self.rests_on_everything("what the runtime keeps is not recorded");
                Property::NotCaptured("the runtime keeps it, and looking at the object does not show it")
            }
            (None, None) => {
                self.rests_on_everything("the contents of an object were not recorded");
                Property::NotCaptured("the contents of the object were not recorded")
            }
        }
    }

    /// An element or the length of an array; `None` for what is no array.
    fn element(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Property> {
        if !self.is_array(object) {
            return None;
        }
        if !self.is_length(key)
            && let Some(property) = self.element_in_place(object, key, before)
        {
            return Some(property);
        }
        self.replayed_element(object, key, before)
    }

    /// The newest event that concerns the element tells its value, unless elements were moved or cut off.
    fn element_in_place(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Property> {
        let step = self.last(&Target::Property(object, key), before)?;
        let value = match self.key_change(&step, object, key) {
            KeyChange::Set(value) | KeyChange::Born(Some(value)) => value,
            KeyChange::Stepped { old, by } => stepped(&old, by),
            _ => return None,
        };
        let length = self.language().length_key().map(|length| PropertyKey::Name(length.into()));
        let cut = length.and_then(|length| self.last(&Target::Property(object, &length), before));
        let was_cut = cut.is_some_and(|cut| cut.id > step.id);
        (!was_cut).then_some(Property::Own { value, since: step })
    }

    pub(crate) fn is_array(&self, object: ObjectId) -> bool {
        let Some(birth) = self.birth(object) else { return false };
        match &birth.event {
            Event::Record(Record::Look { class, .. }) => self.class_traits(*class).has_length,
            Event::Site { .. } => match self.kind(&birth) {
                Some(SiteKind::ArrayLiteral | SiteKind::Arguments) => true,
                Some(SiteKind::Literal) => {
                    let site = birth.site().and_then(|site| self.site(site));
                    site.and_then(|site| site.text()).is_some_and(|text| self.language().is_list_literal(text))
                }
                _ => false,
            },
            Event::Record(_) => false,
        }
    }

    pub fn prototype(&self, object: ObjectId, before: EventId) -> Prototype {
        let Some(key) = self.prototype_key() else { return Prototype::None };
        for step in self.each_before(&Target::Property(object, &key), before) {
            match &step.event {
                Event::Record(Record::Effect { op: BuiltinOp::SetPrototype, values, .. }) => {
                    return match values.first() {
                        Some(Value::Null) => Prototype::None,
                        value => value.and_then(|value| value.object()).map_or(Prototype::Unknown, Prototype::Object),
                    };
                }
                Event::Record(Record::Look { prototype, class, name, .. }) => {
                    return self.language().prototype_by_look(*class, *prototype, name.is_some());
                }
                Event::Site { value: Some(Value::NewObject { id, prototype }), .. } if *id == object => {
                    return prototype.map_or(Prototype::Unknown, Prototype::Object);
                }
                Event::Site { tail: TailValues::Values(_), value, .. }
                    if value.and_then(Value::object) == Some(object) =>
                {
                    return self.language().prototype_of_literal();
                }
                Event::Site { tail: TailValues::Object(Some(_)), .. } if self.writes_prototype(&step, &key) => {
                    if let Event::Site { value: Some(value), .. } = &step.event {
                        return value.object().map_or(Prototype::None, Prototype::Object);
                    }
                }
                _ => {}
            }
        }
        Prototype::Unknown
    }

    /// The key whose events are those of the object as a whole, and hardly any other: that of what it inherits from.
    pub(crate) fn prototype_key(&self) -> Option<PropertyKey> {
        self.language().prototype_key().map(|key| PropertyKey::Name(key.into()))
    }

    pub(crate) fn writes_prototype(&self, step: &Step, key: &PropertyKey) -> bool {
        let site = step.site().and_then(|site| self.site(site));
        site.is_some_and(|site| {
            site.site.kind == SiteKind::Put && site.site.names.first().is_some_and(|name| key.is_name(site.name(*name)))
        })
    }
}

const MOST_PROTOTYPES: usize = 100;

impl Trace<'_> {
    /// Whether a name could be one of something built in that the object inherits.
    fn may_be_built_in(&self, key: &PropertyKey, is_list: bool) -> bool {
        let described = match key {
            PropertyKey::Symbol(symbol) => self.thread.symbol_description(*symbol),
            PropertyKey::Name(_) => None,
        };
        self.language().is_built_in(key, described.as_deref(), is_list)
    }
}

fn own(value: Datum, step: Step, seen: Option<(Datum, Step)>) -> Property {
    match seen {
        // Foreign code changed it between the write and the look.
        Some((newer, since)) if newer != value => Property::Own { value: newer, since },
        _ => Property::Own { value, since: step },
    }
}

pub(crate) fn stepped(old: &Datum, by: f64) -> Datum {
    match old {
        Datum::Number(number) => Datum::Number(number + by),
        Datum::BigInt(digits) => digits
            .parse::<i128>()
            .map_or(Datum::NotCaptured, |number| Datum::BigInt((number + by as i128).to_string().into())),
        _ => Datum::NotCaptured,
    }
}
