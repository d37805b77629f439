//! What happened to every property of every object.

use std::collections::HashMap;

use query::Datum;
use trace_model::{BuiltinOp, EventId, ObjectClass, ObjectId};
use trace_store::PropertyKey;

use super::values::{array_index, entry_key, same, same_if_any};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Birth,
    Write,
    /// The write that a variable of a block begins with: before, another one was in its place.
    Begin,
    /// Code that is not recorded did it, and a look showed it.
    Foreign,
}

/// One change of one place.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The event that did it, or that showed it.
    pub event: EventId,
    /// It is known from here on: the look that belongs to `event`, or `event` itself.
    pub shown: EventId,
    pub how: How,
    /// `None`: it is gone.
    pub new: Option<Datum>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proto {
    Object(ObjectId),
    /// `Object.prototype`, `Array.prototype`.
    BuiltIn,
    Null,
    Unknown,
}

#[derive(Default)]
pub struct Object {
    pub class: Option<ObjectClass>,
    pub born: Option<EventId>,
    /// Whether a key without entries is known not to be there, from which event on.
    pub complete_since: Option<EventId>,
    /// It was seen from its birth on. A look at an array tells its elements, and not what else it has.
    pub is_known_from_birth: bool,
    pub properties: HashMap<PropertyKey, Vec<Entry>>,
    /// Of a Map or Set, in the order in which they came first.
    pub entries: Vec<(Datum, Vec<Entry>)>,
    pub prototypes: Vec<(EventId, Proto)>,
    is_frozen: bool,
    is_closed: bool,
    is_array: bool,
}

/// When something happened, and how.
#[derive(Clone, Copy)]
pub struct Moment {
    pub event: EventId,
    pub shown: EventId,
    pub how: How,
}

impl Moment {
    pub fn write(event: EventId) -> Moment {
        Moment { event, shown: event, how: How::Write }
    }
}

/// The recorder takes no more elements of an array.
const MOST_ELEMENTS: u32 = 1000;

pub fn length_key() -> PropertyKey {
    PropertyKey::Name("length".into())
}

pub fn last(entries: &[Entry], before: EventId) -> Option<&Entry> {
    entries.iter().rev().find(|entry| entry.shown < before)
}

impl Object {
    pub fn now(&self, key: &PropertyKey) -> Option<Datum> {
        self.properties.get(key)?.last()?.new.clone()
    }

    pub fn length_now(&self) -> Option<u32> {
        match self.now(&length_key())? {
            Datum::Number(length) if self.is_array => Some(length as u32),
            _ => None,
        }
    }

    pub fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    pub fn prototype(&self, before: EventId) -> Proto {
        self.prototypes.iter().rev().find(|(since, _)| *since < before).map_or(Proto::Unknown, |(_, proto)| *proto)
    }

    /// Whether it is known not to have a key of which no event tells.
    pub fn tells_of(&self, key: &PropertyKey, before: EventId) -> bool {
        let is_taken = !self.is_array || array_index(key).is_some() || *key == length_key();
        self.is_complete(before) && (is_taken || self.is_known_from_birth)
    }

    pub fn is_complete(&self, before: EventId) -> bool {
        self.complete_since.is_some_and(|since| since < before)
    }

    pub fn begin(&mut self, moment: Moment, class: ObjectClass, prototype: Proto) {
        self.born = Some(moment.event);
        self.complete_since = Some(moment.shown);
        self.is_known_from_birth = true;
        self.class = Some(class);
        self.is_array = matches!(class, ObjectClass::Array | ObjectClass::Arguments | ObjectClass::Binary);
        self.prototypes.push((moment.shown, prototype));
    }

    /// The program writes a property, or seems to: what is frozen, or has a setter, stays as it is.
    pub fn put(&mut self, moment: Moment, key: PropertyKey, value: Datum) {
        let own = self.now(&key);
        if self.is_frozen || own.is_none() && self.is_closed || own == Some(Datum::Accessor) {
            return;
        }
        self.set(moment, key, value);
    }

    pub fn set(&mut self, moment: Moment, key: PropertyKey, value: Datum) {
        if self.is_array && key == length_key() {
            if let Datum::Number(length) = value {
                self.set_length(moment, length as u32);
            }
            self.push(moment, key, Some(value));
            return;
        }
        let grown = array_index(&key).filter(|index| self.length_now().is_some_and(|length| *index >= length));
        if let Some(index) = grown {
            self.push(moment, length_key(), Some(Datum::Number(f64::from(index) + 1.0)));
        }
        self.push(moment, key, Some(value));
    }

    pub fn remove(&mut self, moment: Moment, key: &PropertyKey) {
        if self.now(key).is_some() {
            self.push(moment, key.clone(), None);
        }
    }

    /// Everything that a look tells: what is as it was is no change.
    pub fn look(
        &mut self,
        moment: Moment,
        class: ObjectClass,
        prototype: Proto,
        shown: Vec<(PropertyKey, Datum)>,
        size: u32,
    ) {
        self.class = Some(class);
        self.is_array = matches!(class, ObjectClass::Array | ObjectClass::Arguments | ObjectClass::Binary);
        self.prototypes.push((moment.shown, prototype));
        self.born.get_or_insert(moment.event);
        let tells_all = !matches!(
            class,
            ObjectClass::Function
                | ObjectClass::Promise
                | ObjectClass::Weak
                | ObjectClass::Namespace
                | ObjectClass::Proxy
        );
        // Holes are not told, and what is longer is cut.
        let is_whole = shown.len() >= size as usize || self.is_array && size <= MOST_ELEMENTS;
        if tells_all && is_whole {
            self.complete_since.get_or_insert(moment.shown);
        }
        let is_array = self.is_array;
        // Of an array only the elements are told.
        let is_told = |key: &PropertyKey| !is_array || array_index(key).is_some();
        let gone: Vec<PropertyKey> = self
            .properties
            .iter()
            .filter(|(key, entries)| is_told(key) && entries.last().is_some_and(|entry| entry.new.is_some()))
            .map(|(key, _)| key.clone())
            .filter(|key| tells_all && !shown.iter().any(|(seen, _)| seen == key))
            .collect();
        for key in gone {
            self.push(moment, key, None);
        }
        let mut shown = shown;
        if is_array {
            shown.push((length_key(), Datum::Number(f64::from(size))));
        }
        for (key, value) in shown {
            if !same_if_any(&self.now(&key), &Some(value.clone())) {
                self.push(moment, key, Some(value));
            }
        }
    }

    /// What a look showed was there from an earlier event on, which made the object.
    pub fn was_born(&mut self, look: EventId, born: EventId) {
        self.born = Some(born);
        for entry in self.properties.values_mut().flatten().filter(|entry| entry.event == look) {
            (entry.event, entry.how) = (born, How::Birth);
        }
    }

    pub fn look_entries(&mut self, moment: Moment, shown: Vec<(Datum, Datum)>) {
        let gone: Vec<Datum> = self
            .entries_now()
            .into_iter()
            .map(|(key, _)| key)
            .filter(|key| !shown.iter().any(|(seen, _)| same(seen, key)))
            .collect();
        for key in gone {
            self.push_entry(moment, key, None);
        }
        for (key, value) in shown {
            self.push_entry(moment, key, Some(value));
        }
    }

    pub fn effect(&mut self, moment: Moment, op: BuiltinOp, values: &[Datum], key: Option<PropertyKey>) {
        let count = |at: usize| match values.get(at) {
            Some(Datum::Number(number)) => *number as usize,
            _ => 0,
        };
        let length = self.length_now().unwrap_or(0) as usize;
        match op {
            BuiltinOp::Push => self.splice(moment, length, 0, values),
            BuiltinOp::Pop => self.splice(moment, length.saturating_sub(1), 1, &[]),
            BuiltinOp::Shift => self.splice(moment, 0, 1, &[]),
            BuiltinOp::Unshift => self.splice(moment, 0, 0, values),
            BuiltinOp::Splice => self.splice(moment, count(0), count(1), values.get(2..).unwrap_or_default()),
            BuiltinOp::MapSet => self.push_entry(moment, values[0].clone(), values.get(1).cloned()),
            BuiltinOp::SetAdd => {
                let is_there = self.entries_now().iter().any(|(held, _)| same(held, &entry_key(values[0].clone())));
                if !is_there {
                    self.push_entry(moment, values[0].clone(), Some(Datum::Bool(true)));
                }
            }
            BuiltinOp::Delete => self.push_entry(moment, values[0].clone(), None),
            BuiltinOp::Clear => {
                for (key, _) in self.entries_now() {
                    self.push_entry(moment, key, None);
                }
            }
            BuiltinOp::DefineProperty | BuiltinOp::SetProperty => {
                if let Some(key) = key {
                    self.set(moment, key, values.get(1).cloned().unwrap_or(Datum::NotCaptured));
                }
            }
            BuiltinOp::DeleteProperty => {
                if let Some(key) = key {
                    self.remove(moment, &key);
                }
            }
            BuiltinOp::SetPrototype => {
                let prototype = match values.first() {
                    Some(Datum::Object(object)) => Proto::Object(*object),
                    Some(Datum::Null) => Proto::Null,
                    _ => Proto::Unknown,
                };
                self.prototypes.push((moment.event, prototype));
            }
            BuiltinOp::Freeze => self.is_frozen = true,
            BuiltinOp::Seal | BuiltinOp::PreventExtensions => self.is_closed = true,
            BuiltinOp::Refill => {}
        }
    }

    /// What it holds at a moment.
    pub fn held(&self, before: EventId) -> HashMap<PropertyKey, Datum> {
        let value = |entries: &Vec<Entry>| last(entries, before).and_then(|entry| entry.new.clone());
        self.properties.iter().filter_map(|(key, entries)| Some((key.clone(), value(entries)?))).collect()
    }

    /// Of a Map or Set, in the order in which it would be gone through.
    pub fn held_entries(&self, before: EventId) -> Vec<(Datum, Datum)> {
        let mut held: Vec<(usize, Datum, Datum)> = Vec::new();
        for (number, (key, entries)) in self.entries.iter().enumerate() {
            let known: Vec<&Entry> = entries.iter().filter(|entry| entry.shown < before).collect();
            let Some(Some(value)) = known.last().map(|entry| entry.new.clone()) else { continue };
            // It stands where it was added last after having been away.
            let added = known.iter().rposition(|entry| entry.new.is_none()).map_or(0, |gone| gone + 1);
            let order = known[added].shown.0 as usize * 100_000 + number;
            held.push((order, key.clone(), value));
        }
        held.sort_by_key(|(order, ..)| *order);
        held.into_iter().map(|(_, key, value)| (key, value)).collect()
    }

    fn entries_now(&self) -> Vec<(Datum, Datum)> {
        self.held_entries(EventId(u64::MAX / 200_000))
    }

    fn push(&mut self, moment: Moment, key: PropertyKey, new: Option<Datum>) {
        let Moment { event, shown, how } = moment;
        self.properties.entry(key).or_default().push(Entry { event, shown, how, new });
    }

    fn push_entry(&mut self, moment: Moment, key: Datum, new: Option<Datum>) {
        let key = entry_key(key);
        let Moment { event, shown, how } = moment;
        let entry = Entry { event, shown, how, new };
        match self.entries.iter_mut().find(|(held, _)| same(held, &key)) {
            Some((_, entries)) => {
                let old = entries.last().and_then(|entry| entry.new.clone());
                let is_news = how == How::Write || !same_if_any(&old, &entry.new);
                if is_news && !(old.is_none() && entry.new.is_none()) {
                    entries.push(entry);
                }
            }
            None if entry.new.is_some() => self.entries.push((key, vec![entry])),
            None => {}
        }
    }

    fn set_length(&mut self, moment: Moment, length: u32) {
        let cut: Vec<PropertyKey> = self
            .properties
            .keys()
            .filter(|key| array_index(key).is_some_and(|index| index >= length))
            .cloned()
            .collect();
        for key in cut {
            self.remove(moment, &key);
        }
    }

    /// Elements from `start` on: some go, others come, and where their numbers differ the rest moves. A place that then holds
    /// what it held before has not changed.
    fn splice(&mut self, moment: Moment, start: usize, n_gone: usize, come: &[Datum]) {
        let Some(length) = self.length_now() else { return };
        let length = length as usize;
        let start = start.min(length);
        let n_gone = n_gone.min(length - start);
        let name = |index: usize| PropertyKey::Name(index.to_string());
        let rest: Vec<Option<Datum>> = (start + n_gone..length).map(|index| self.now(&name(index))).collect();
        let end = start + come.len() + rest.len();
        let come = come.iter().cloned().map(Some);
        for (n, value) in come.chain(rest).enumerate() {
            let key = name(start + n);
            match value {
                Some(value) if same_if_any(&self.now(&key), &Some(value.clone())) => {}
                Some(value) => self.push(moment, key, Some(value)),
                None => self.remove(moment, &key),
            }
        }
        for index in end..length {
            self.remove(moment, &name(index));
        }
        if end == length {
            return;
        }
        self.push(moment, length_key(), Some(Datum::Number(end as f64)));
    }
}
