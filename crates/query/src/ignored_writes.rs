//! Assignments that changed nothing: a setter took the value, or what is frozen refused it. What the object itself refuses the
//! recorder knows; what a prototype forbids is told by the events of the prototype.

use std::ops::Range;

use trace_model::{BuiltinOp, Event, EventId, ObjectId, Record, SiteKind, Value};
use trace_store::{PropertyKey, Step, Target};

use crate::change::{KeyChange, Seen};
use crate::{Datum, Property, Prototype, Trace};

/// Whether a prototype keeps assignments to a key from the objects that inherit from it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PrototypeForbids {
    /// It does not have the key: its own prototype decides.
    AskNext,
    Since(EventId),
    None,
}

impl Trace<'_> {
    /// Whether a write by assignment changed nothing.
    pub(crate) fn is_ignored_write(&self, write: &Step, object: ObjectId, key: &PropertyKey) -> bool {
        self.is_taken_by_setter(write, object, key)
            || self.refused_since(write, object, key).is_some_and(|since| !self.had_own(object, key, since, write.id))
    }

    /// Whether a prototype keeps what is assigned to a key from an object that does not have it itself.
    pub(crate) fn is_refused_by_prototype(&self, write: &Step, object: ObjectId, key: &PropertyKey) -> bool {
        self.refused_since(write, object, key).is_some()
    }

    fn is_taken_by_setter(&self, write: &Step, object: ObjectId, key: &PropertyKey) -> bool {
        let (PropertyKey::Name(name), Some(SiteKind::Put | SiteKind::PutComputed)) = (key, self.kind(write)) else {
            return false;
        };
        if self.frozen_since(object, write.id).is_some() {
            return true;
        }
        let has_setter = self.has_setter(name);
        for (n, step) in self.each_before(&Target::Property(object, key), write.id).enumerate() {
            match self.key_change(&step, object, key) {
                KeyChange::Set(Datum::Accessor)
                | KeyChange::Born(Some(Datum::Accessor))
                | KeyChange::Seen(Seen::Value(Datum::Accessor)) => return true,
                KeyChange::Seen(_) | KeyChange::Born(_) | KeyChange::Removed => return false,
                // Defined anew, as data.
                KeyChange::Set(_) if step.site().is_none() => return false,
                _ if n + 1 >= MOST_WRITES_BEHIND_SETTERS && !has_setter => return false,
                _ => {}
            }
        }
        false
    }

    /// What is frozen stays so, whatever is seen of it later.
    fn frozen_since(&self, object: ObjectId, before: EventId) -> Option<EventId> {
        if !self.restricts_objects() {
            return None;
        }
        if let Some(known) = self.freezes.get(&object, before) {
            return known;
        }
        let end = EventId(u64::MAX);
        let key = self.prototype_key()?;
        let frozen = self.each_before(&Target::Property(object, &key), end).filter(is_freeze).last();
        let frozen = frozen.map_or(end, |step| step.id);
        let (lasts, since) = if before <= frozen { (EventId(0)..frozen, None) } else { (frozen..end, Some(frozen)) };
        self.freezes.put(object, lasts, since);
        since
    }

    /// Since when a prototype has an accessor for a key that is assigned to, or a value that cannot be written.
    fn refused_since(&self, write: &Step, object: ObjectId, key: &PropertyKey) -> Option<EventId> {
        use SiteKind::*;
        let (Put | PutComputed | PutIncrement | PutDecrement | PutComputedIncrement | PutComputedDecrement) =
            self.kind(write)?
        else {
            return None;
        };
        if self.is_never_refused(key) {
            return None;
        }
        let mut holder = object;
        for _ in 0..MOST_PROTOTYPES {
            let Prototype::Object(prototype) = self.lasting_prototype(holder, write.id) else { return None };
            holder = prototype;
            match self.lasting_ban(holder, key, write.id) {
                PrototypeForbids::AskNext => {}
                PrototypeForbids::Since(event) => return Some(event),
                PrototypeForbids::None => return None,
            }
        }
        None
    }

    fn lasting_prototype(&self, object: ObjectId, before: EventId) -> Prototype {
        if let Some(known) = self.prototypes.get(&object, before) {
            return known;
        }
        let prototype = self.prototype(object, before);
        if let Some(key) = self.prototype_key() {
            self.prototypes.put(object, self.lasts(&Target::Property(object, &key), before), prototype);
        }
        prototype
    }

    fn lasting_ban(&self, holder: ObjectId, key: &PropertyKey, before: EventId) -> PrototypeForbids {
        // What was written through a proxy or moved within an array has no event of this place.
        if self.may_be_behind_proxy(holder) || self.is_of_elements(key) {
            return self.ban(holder, key, before);
        }
        let question = (holder, key.clone());
        if let Some(known) = self.bans.get(&question, before) {
            return known;
        }
        let ban = self.ban(holder, key, before);
        self.bans.put(question, self.lasts(&Target::Property(holder, key), before), ban);
        ban
    }

    /// What an object says of assignments to a key of those that inherit from it.
    fn ban(&self, holder: ObjectId, key: &PropertyKey, before: EventId) -> PrototypeForbids {
        match self.own_property(holder, key, before) {
            Property::Absent { .. } => PrototypeForbids::AskNext,
            Property::Own { value: Datum::Accessor, since } => PrototypeForbids::Since(since.id),
            Property::Own { since, .. } if is_read_only(&since) => PrototypeForbids::Since(since.id),
            Property::Own { .. } => {
                self.frozen_since(holder, before).map_or(PrototypeForbids::None, PrototypeForbids::Since)
            }
            Property::Inherited { .. } | Property::NotCaptured(_) => PrototypeForbids::None,
        }
    }

    /// Between which events around a moment nothing concerns the target.
    fn lasts(&self, target: &Target, moment: EventId) -> Range<EventId> {
        let since = self.last(target, moment).map_or(EventId(0), |step| step.id);
        let until = self.next(target, moment).map_or(EventId(u64::MAX), |step| step.id);
        since..until
    }

    /// Whether the object had the key itself before a write, given that from `since` on no assignment can have put it there.
    fn had_own(&self, object: ObjectId, key: &PropertyKey, since: EventId, write: EventId) -> bool {
        let is_own = |before| matches!(self.own_property(object, key, before), Property::Own { .. });
        for step in self.each_before(&Target::Property(object, key), write).take_while(|step| step.id > since) {
            // Before it had another prototype, assignments may have been taken.
            if matches!(step.event, Event::Record(Record::Effect { op: BuiltinOp::SetPrototype, .. })) {
                return is_own(step.id);
            }
            let is_assignment = self.kind(&step).is_some_and(|kind| kind != SiteKind::Field);
            match self.key_change(&step, object, key) {
                KeyChange::Removed | KeyChange::Born(None) | KeyChange::Seen(Seen::Absent) => return false,
                KeyChange::Set(_) | KeyChange::Stepped { .. } if is_assignment => {}
                change if change.leaves_value() => return true,
                _ => {}
            }
        }
        is_own(since)
    }

    /// Whether no object ever refuses an assignment to this key, as far as can be told at once: the source has no setter of this
    /// name, and neither defines properties by a call nor freezes anything.
    fn is_never_refused(&self, key: &PropertyKey) -> bool {
        let has_setter = matches!(key, PropertyKey::Name(name) if self.has_setter(name));
        !has_setter && !self.restricts_objects()
    }

    /// Whether the code has a setter of this name.
    fn has_setter(&self, name: &str) -> bool {
        self.setters().contains(name)
    }
}

const MOST_PROTOTYPES: usize = 100;
const MOST_WRITES_BEHIND_SETTERS: usize = 8;

fn is_freeze(step: &Step) -> bool {
    matches!(step.event, Event::Record(Record::Effect { op: BuiltinOp::Freeze, .. }))
}

/// Whether a built-in defined a value that no assignment replaces.
fn is_read_only(step: &Step) -> bool {
    let Event::Record(Record::Effect { op: BuiltinOp::DefineProperty, values, .. }) = &step.event else { return false };
    values.get(2) == Some(&Value::Bool(false))
}
