//! All that an object holds at a moment: replayed from the newest event that showed it as a whole.

mod first;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use trace_model::{
    BuiltinOp, Event, EventId, LookTakes, ObjectClass, ObjectId, Prototype, Record, SiteKind, TailValues, Value,
};
use trace_store::{PropertyKey, Step, Target};

use crate::change::KeyChange;
use crate::elements::Elements;
use crate::in_order::InOrder;
use crate::objects::{Contents, Property, Slot, Total, stepped};
use crate::{Datum, Trace};

impl<'a> Trace<'a> {
    /// All that the object holds. `None` if nothing of it was recorded before that moment.
    pub fn contents(&self, object: ObjectId, before: EventId) -> Option<Contents> {
        Some(self.as_known(self.contents_by_events(object, before)?, before))
    }

    /// The same, as the events of the object tell.
    pub(crate) fn contents_by_events(&self, object: ObjectId, before: EventId) -> Option<Contents> {
        match self.busy_contents(object, before) {
            Some(contents) => Some(contents),
            None => Some(self.replay(object, before)?.into_contents()),
        }
    }

    /// What was replayed, without what may have changed unseen.
    pub(crate) fn as_known(&self, mut contents: Contents, before: EventId) -> Contents {
        if let Prototype::Object(prototype) = self.prototype(contents.object, before) {
            contents.prototype = Some(prototype);
        }
        self.show_parameters(&mut contents, before);
        self.leave_out_proxied(&mut contents, before);
        self.leave_out_unrecorded(&mut contents, before);
        self.leave_out_shared(&mut contents);
        self.leave_out_contexts(&mut contents, before);
        self.leave_out_outdated(&mut contents, before);
        contents
    }

    /// The contents for the sake of the entries: no write of a property concerns these.
    pub(crate) fn contents_for_entries(&self, object: ObjectId, before: EventId) -> Option<Contents> {
        let mut contents = self.contents_by_events(object, before)?;
        self.leave_out_proxied(&mut contents, before);
        self.leave_out_contexts(&mut contents, before);
        self.leave_out_outdated(&mut contents, before);
        Some(contents)
    }

    /// The number of entries that a collection has under a name.
    pub(crate) fn size_of(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<u32> {
        if !self.language().size_key().is_some_and(|size| key.is_name(size)) {
            return None;
        }
        let contents = self.contents(object, before)?;
        let total = contents.total.filter(|total| total.is_exact)?;
        let has_size = contents.class.is_some_and(|class| self.class_traits(class).has_size);
        has_size.then_some(total.n)
    }

    /// Every change of the number of entries of a collection, oldest first. `None` for other objects, and where not all entries are known.
    pub(crate) fn size_changes(
        &self,
        object: ObjectId,
        key: &PropertyKey,
        before: EventId,
    ) -> Option<Vec<ElementChange>> {
        self.size_of(object, key, before)?;
        let mut changes: Vec<ElementChange> = Vec::new();
        let mut replay = Replay::new(self, object, false);
        for step in self.steps_of(object, before) {
            replay.apply(&step);
            let old = changes.last().and_then(|newest| newest.new.clone());
            let new = Some(Datum::Number(f64::from(replay.total().n)));
            if new != old {
                changes.push(ElementChange { step, old, new });
            }
        }
        Some(changes)
    }

    /// The contents of an object that was written very often since its birth, key by key: which keys there are is told by its
    /// first events and its newest. `None` for others, for arrays, Maps and Sets, for an object of so many keys that
    /// replaying it is quicker, and where keys were taken from it between: then only all its events tell in which order they stand.
    fn busy_contents(&self, object: ObjectId, before: EventId) -> Option<Contents> {
        let target = Target::Object(object);
        let mut newest: Vec<Step> = Vec::new();
        let mut is_all = true;
        for step in self.each_before(&target, before) {
            if newest.len() >= MOST_REPLAYED && newest[0].id.0 - step.id.0 > NEAR {
                is_all = false;
                break;
            }
            newest.push(step);
        }
        if is_all || newest.iter().any(|step| is_born(step, object)) || self.is_array(object) {
            return None;
        }
        let newest_from = newest.last()?.id;
        let shown = self.last_shown(object, newest_from)?;
        let oldest: Vec<Step> = self.each_within(&target, shown..newest_from).take(MOST_OLDEST).collect();
        let mut replay = Replay::new(self, object, false);
        oldest.iter().for_each(|step| replay.apply(step));
        let unread = EventId(oldest.last()?.id.0 + 1)..newest_from;
        if self.each_within(&Target::Removals(object), unread.clone()).next().is_some() {
            return None;
        }
        let written: HashSet<PropertyKey> = newest.iter().filter_map(|step| self.written_key(step, object)).collect();
        let unknown: Vec<PropertyKey> = written.into_iter().filter(|key| replay.named.get(key).is_none()).collect();
        if replay.named.len() + unknown.len() <= MOST_KEYS {
            for (key, slot) in self.came_within(object, unknown, unread) {
                replay.set(key, slot.value, slot.since);
            }
            newest.iter().rev().for_each(|step| replay.apply(step));
        } else {
            // Where so many came, only those are known to stand first that came with the oldest.
            let is_replayable = || self.each_within(&target, EventId(0)..before).nth(MOST_OF_WIDE).is_none();
            let has_removals = || self.each_within(&Target::Removals(object), newest_from..before).next().is_some();
            if is_replayable() || has_removals() {
                return None;
            }
        }
        if !replay.entries.is_empty() || replay.elements.is_some() {
            return None;
        }
        let mut contents = replay.into_contents();
        contents.is_complete = false;
        contents.total = None;
        let keys = std::mem::take(&mut contents.properties).into_iter().map(|(key, _)| key).take(MOST_KEYS);
        contents.properties = keys.filter_map(|key| self.read_own(object, key, before)).collect();
        Some(contents)
    }

    /// The newest event that showed all keys of an object, or its first. `None` where so much was taken from it that all of it
    /// is read more quickly.
    fn last_shown(&self, object: ObjectId, before: EventId) -> Option<EventId> {
        let mut n_passed = 0;
        for step in self.each_before(&Target::Removals(object), before) {
            let shows_all_keys = match &step.event {
                Event::Record(Record::Look { class, is_cut, .. }) => {
                    !is_cut && self.class_traits(*class).look == LookTakes::Members
                }
                _ => shows_whole(&step, object),
            };
            if shows_all_keys {
                return Some(step.id);
            }
            n_passed += 1;
            if n_passed > MOST_PASSED {
                return None;
            }
        }
        Some(EventId(0))
    }

    /// Those of some keys that came to an object in events that are not read, in the order in which they came. None was taken from
    /// it there.
    fn came_within(
        &self,
        object: ObjectId,
        keys: Vec<PropertyKey>,
        unread: Range<EventId>,
    ) -> Vec<(PropertyKey, Slot)> {
        let mut came: Vec<(EventId, (PropertyKey, Slot))> = Vec::new();
        for key in keys {
            let leaves_value = |step: &Step| {
                let change = self.key_change(step, object, &key);
                change.leaves_value() && !self.is_ignored_write(step, object, &key)
            };
            let first = self.each_within(&Target::Property(object, &key), unread.clone()).find(leaves_value);
            if let Some(first) = first
                && let Some(property) = self.read_own(object, key, unread.end)
            {
                came.push((first.id, property));
            }
        }
        came.sort_by_key(|(first, _)| *first);
        came.into_iter().map(|(_, property)| property).collect()
    }

    /// The key of an object that an event writes or deletes.
    pub(crate) fn written_key(&self, step: &Step, object: ObjectId) -> Option<PropertyKey> {
        match &step.event {
            Event::Site { tail: TailValues::ObjectAndKey(Some(base), key), .. } if *base == object => self.key(*key),
            Event::Site { tail: TailValues::Object(Some(base)), .. } if *base == object => {
                let site = step.site().and_then(|site| self.site(site))?;
                site.site.names.first().map(|name| PropertyKey::Name(site.name(*name).into()))
            }
            Event::Record(Record::Effect {
                object: changed,
                op: BuiltinOp::DefineProperty | BuiltinOp::SetProperty | BuiltinOp::DeleteProperty,
                values,
            }) if *changed == object => values.first().and_then(|key| self.key(*key)),
            _ => None,
        }
    }

    /// A property with the value that it has at a moment; `None` if the object does not have it, or it is not known.
    pub(crate) fn read_own(&self, object: ObjectId, key: PropertyKey, before: EventId) -> Option<(PropertyKey, Slot)> {
        match self.own_property(object, &key, before) {
            Property::Own { value, since } => Some((key, Slot { value, since: since.id })),
            _ => None,
        }
    }

    /// An element, or the length, of an array.
    pub(crate) fn replayed_element(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Option<Property> {
        let replay = self.replay(object, before)?;
        let elements = replay.elements.as_ref()?;
        if self.is_length(key) {
            let value = Datum::Number(elements.len() as f64);
            return Some(Property::Own { value, since: self.thread.step(replay.length_since?)? });
        }
        let index = self.element_at(key)?;
        Some(match elements.get(index) {
            Some(slot) => Property::Own { value: slot.value.clone(), since: self.thread.step(slot.since)? },
            None if !replay.is_complete => Property::NotCaptured("the array was too large to be captured as a whole"),
            None => {
                let since = replay.removed.get(&index).copied().or(replay.born)?;
                Property::Absent { since: self.thread.step(since) }
            }
        })
    }

    /// Every change of an element or the length of an array, oldest first: the event, the value before, the value then.
    pub(crate) fn element_changes(&self, object: ObjectId, key: &PropertyKey, before: EventId) -> Vec<ElementChange> {
        let mut changes: Vec<ElementChange> = Vec::new();
        let mut replay = Replay::new(self, object, false);
        let mut old = None;
        for step in self.steps_of(object, before) {
            replay.apply(&step);
            let new = replay.value(key);
            // A direct write is a change, whatever it wrote.
            let is_direct = matches!(
                self.key_change(&step, object, key),
                KeyChange::Set(_) | KeyChange::Stepped { .. } | KeyChange::Born(_)
            );
            if new != old || is_direct && new.is_some() {
                changes.push(ElementChange { step, old: old.clone(), new: new.clone() });
            }
            old = new;
        }
        changes
    }

    fn replay(&self, object: ObjectId, before: EventId) -> Option<Replay<'_, '_>> {
        self.replay_first(object, before, usize::MAX).map(|(replay, _)| replay)
    }

    /// The object as its first events made it, and where the others are, if these are not all.
    pub(crate) fn replay_first(
        &self,
        object: ObjectId,
        before: EventId,
        most: usize,
    ) -> Option<(Replay<'_, 'a>, Option<Range<EventId>>)> {
        self.rests_on_elements();
        let mut replay: Option<Replay> = None;
        for (n, step) in self.thread.each_within(&Target::Object(object), EventId(0)..before).enumerate() {
            if n >= most {
                return Some((replay?, Some(step.id..before)));
            }
            self.replay_step(object, &mut replay, &step);
        }
        Some((replay?, None))
    }

    /// A birth begins anew.
    fn replay_step<'t>(&'t self, object: ObjectId, replay: &mut Option<Replay<'t, 'a>>, step: &Step) {
        let begun = || Replay { born: Some(step.id), ..Replay::new(self, object, shows_whole(step, object)) };
        match replay {
            Some(replay) if !is_born(step, object) => replay.apply(step),
            _ => replay.insert(begun()).apply(step),
        }
    }

    /// What happened to an object since it was born, oldest first, as far as it was recorded.
    fn steps_of(&self, object: ObjectId, before: EventId) -> impl Iterator<Item = Step> {
        self.rests_on_elements();
        let target = Target::Object(object);
        let born = self.thread.birth(object).filter(|birth| birth.id < before && is_born(birth, object));
        self.thread.each_within(&target, born.map_or(EventId(0), |born| born.id)..before)
    }
}

pub(crate) struct ElementChange {
    pub step: Step,
    pub old: Option<Datum>,
    pub new: Option<Datum>,
}

fn is_born(step: &Step, object: ObjectId) -> bool {
    !matches!(step.event, Event::Record(_)) && shows_whole(step, object)
}

fn shows_whole(step: &Step, object: ObjectId) -> bool {
    match &step.event {
        Event::Record(Record::Look { object: seen, .. }) => *seen == object,
        Event::Site { value: Some(Value::NewObject { id, .. }), .. } => *id == object,
        Event::Site { tail: TailValues::Values(_), value, .. } => value.and_then(Value::object) == Some(object),
        _ => false,
    }
}

/// Where the language has it so: elements come first, symbols last, and what is left stays as it came.
fn in_order_of_language(trace: &Trace, named: Vec<(PropertyKey, Slot)>) -> Vec<(PropertyKey, Slot)> {
    if !trace.language().elements_stand_first() {
        return named;
    }
    let (mut elements, mut names, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
    for property in named {
        match (&property.0, trace.element_at(&property.0)) {
            (_, Some(place)) => elements.push((place, property)),
            (PropertyKey::Name(_), None) => names.push(property),
            (PropertyKey::Symbol(_), None) => symbols.push(property),
        }
    }
    elements.sort_by_key(|(place, _)| *place);
    elements.into_iter().map(|(_, property)| property).chain(names).chain(symbols).collect()
}

/// What says how long a list is may be any number; the longest that there are are of this size.
fn shown_length(elements: &Elements) -> u32 {
    u32::try_from(elements.len()).unwrap_or(u32::MAX)
}

pub(crate) struct Replay<'t, 'a> {
    trace: &'t Trace<'a>,
    object: ObjectId,
    class: Option<ObjectClass>,
    name: Option<String>,
    stands_for: Option<Datum>,
    is_complete: bool,
    /// Of an array.
    elements: Option<Elements>,
    length_since: Option<EventId>,
    /// Elements that are not there any more, and what took them away.
    removed: HashMap<usize, EventId>,
    born: Option<EventId>,
    is_frozen: bool,
    named: InOrder<PropertyKey>,
    entries: InOrder<Datum>,
    /// Entries or properties that a look left out, as far as they are still there; and whether there are not more of them.
    n_unseen: u32,
    is_unseen_exact: bool,
}

impl<'t, 'a> Replay<'t, 'a> {
    /// A key was written that is not known: it may have been any.
    fn forget(&mut self) {
        self.is_complete = false;
        let elements = self.elements.iter_mut().flat_map(Elements::slots_mut);
        elements.chain(self.named.slots_mut()).for_each(|slot| slot.value = Datum::NotCaptured);
    }

    fn new(trace: &'t Trace<'a>, object: ObjectId, is_complete: bool) -> Replay<'t, 'a> {
        Replay {
            trace,
            object,
            class: None,
            name: None,
            stands_for: None,
            is_complete,
            elements: None,
            length_since: None,
            removed: HashMap::new(),
            born: None,
            is_frozen: false,
            named: InOrder::default(),
            entries: InOrder::default(),
            n_unseen: 0,
            is_unseen_exact: true,
        }
    }

    /// How much there is of what the object is there for.
    fn total(&self) -> Total {
        if let Some(elements) = &self.elements {
            return Total { n: shown_length(elements), is_exact: true };
        }
        let n_seen =
            if self.class.is_some_and(ObjectClass::has_entries) { self.entries.len() } else { self.named.len() };
        Total { n: n_seen as u32 + self.n_unseen, is_exact: self.is_unseen_exact }
    }

    /// A key that was not seen came or went: it may have been one of those that a look left out.
    fn touch_unseen(&mut self) {
        if self.n_unseen > 0 {
            self.n_unseen -= 1;
            self.is_unseen_exact = false;
        }
    }

    pub(crate) fn into_contents(self) -> Contents {
        let length = self.elements.as_ref().map(shown_length);
        let is_seen = self.class.is_none_or(|class| !self.trace.class_traits(class).is_opaque || class.has_entries());
        let total = is_seen.then(|| self.total());
        let elements = self.elements.into_iter().flat_map(Elements::into_iter);
        let key = |place| Some(self.trace.element_key(u32::try_from(place).ok()?));
        let elements = elements.filter_map(|(place, slot)| Some((key(place)?, slot)));
        let named = in_order_of_language(self.trace, self.named.into_vec());
        Contents {
            object: self.object,
            class: self.class,
            name: self.name,
            prototype: None,
            properties: elements.chain(named).collect(),
            entries: self.entries.into_vec(),
            stands_for: self.stands_for,
            length,
            total,
            is_complete: self.is_complete,
        }
    }

    fn apply(&mut self, step: &Step) {
        match &step.event {
            Event::Record(Record::Look { class, name, size, is_cut, entries, .. }) => {
                self.look(step, *class, *size, entries);
                self.is_complete = !is_cut;
                self.name = name.and_then(|name| self.trace.thread.string(name)).map(|name| name.to_string());
            }
            Event::Record(Record::Effect { op, values, .. }) => self.effect(step, *op, values),
            Event::Record(_) => {}
            Event::Site { tail, .. } => self.site(step, tail),
        }
    }

    /// What an element, or the length, is now.
    fn value(&self, key: &PropertyKey) -> Option<Datum> {
        let elements = self.elements.as_ref()?;
        if self.trace.is_length(key) {
            return Some(Datum::Number(elements.len() as f64));
        }
        Some(elements.get(self.trace.element_at(key)?)?.value.clone())
    }

    fn look(&mut self, step: &Step, class: ObjectClass, size: u32, entries: &[(Value, Value)]) {
        let old_elements = self.elements.take();
        let mut old_named = InOrder::default();
        let old_entries = std::mem::take(&mut self.entries);
        let traits = self.trace.class_traits(class);
        // Of other classes a look takes no named properties.
        if traits.look == LookTakes::Members {
            old_named = std::mem::take(&mut self.named);
        }
        self.class = Some(class);
        (self.n_unseen, self.is_unseen_exact) = (0, true);
        if traits.has_length {
            let old_length = old_elements.as_ref().map(Elements::len);
            if old_length != Some(size as usize) {
                self.length_since = Some(step.id);
            }
            self.elements = Some(Elements::of_length(size as usize));
        }
        for (key, value) in entries {
            let value = self.trace.datum(*value);
            match class {
                _ if class.has_entries() => {
                    let key = self.trace.datum(*key);
                    let since = old_entries.holding(&key, &value).map_or(step.id, |slot| slot.since);
                    self.entries.push(key, Slot { value, since });
                }
                _ if matches!(key, Value::Undefined) => self.stands_for = Some(value),
                _ => {
                    let Some(key) = self.trace.key(*key) else { continue };
                    // A look that shows the same as before is no news of who wrote it.
                    let before = match self.trace.element_at(&key) {
                        Some(index) => old_elements.as_ref().and_then(|old| old.get(index)),
                        None => old_named.get(&key),
                    };
                    let since = before.filter(|slot| slot.value == value).map_or(step.id, |slot| slot.since);
                    self.set(key, value, since);
                }
            }
        }
        if class.has_entries() || traits.look == LookTakes::Members {
            self.n_unseen = size.saturating_sub(entries.len() as u32);
        }
        let (Some(elements), Some(old)) = (&self.elements, &old_elements) else { return };
        let gone = old.iter().filter(|(index, _)| elements.get(*index).is_none());
        self.removed.extend(gone.map(|(index, _)| (index, step.id)));
    }

    fn site(&mut self, step: &Step, tail: &TailValues) {
        let Some(site) = step.site().and_then(|site| self.trace.site(site)) else { return };
        match (site.site.kind, tail) {
            (SiteKind::ObjectLiteral, TailValues::Values(values)) => {
                self.class = Some(ObjectClass::Plain);
                for (name, value) in site.site.names.iter().zip(values) {
                    self.set(PropertyKey::Name(site.name(*name).into()), self.trace.datum(*value), step.id);
                }
            }
            (SiteKind::ArrayLiteral, TailValues::Values(values)) => {
                self.class = Some(ObjectClass::Array);
                let slot = |value: &Value| Slot { value: self.trace.datum(*value), since: step.id };
                self.elements = Some(Elements::of(values.iter().map(slot)));
                self.length_since = Some(step.id);
            }
            (_, TailValues::Object(Some(object)) | TailValues::ObjectAndKey(Some(object), _))
                if *object == self.object =>
            {
                let key = match tail {
                    TailValues::ObjectAndKey(_, key) => self.trace.key(*key),
                    _ => site.site.names.first().map(|name| PropertyKey::Name(site.name(*name).into())),
                };
                let Some(key) = key else {
                    return self.forget();
                };
                match self.trace.key_change(step, self.object, &key) {
                    KeyChange::Set(_) | KeyChange::Stepped { .. } if self.is_frozen || self.is_refused(step, &key) => {}
                    KeyChange::Set(value) => self.set(key, value, step.id),
                    KeyChange::Stepped { old, by } => self.set(key, stepped(&old, by), step.id),
                    KeyChange::Removed => self.remove(&key, step.id),
                    _ => {}
                }
            }
            (SiteKind::FunctionBirth, _) => self.class = Some(ObjectClass::Function),
            (SiteKind::This, _) => {
                self.class.get_or_insert(ObjectClass::Instance);
            }
            _ => {}
        }
    }

    /// Whether a setter takes what is written, or a prototype forbids it.
    fn is_refused(&self, step: &Step, key: &PropertyKey) -> bool {
        match self.named.get(key) {
            Some(slot) => slot.value == Datum::Accessor,
            None => self.trace.is_refused_by_prototype(step, self.object, key),
        }
    }

    fn effect(&mut self, step: &Step, op: BuiltinOp, values: &[Value]) {
        let data: Vec<Datum> = values.iter().map(|value| self.trace.datum(*value)).collect();
        let key = values.first().and_then(|value| self.trace.key(*value));
        let length = self.elements.as_ref().map_or(0, Elements::len);
        match op {
            BuiltinOp::Push => self.splice(length, 0, data, step.id),
            BuiltinOp::Pop => self.splice(length.saturating_sub(1), 1, Vec::new(), step.id),
            BuiltinOp::Shift => self.splice(0, 1, Vec::new(), step.id),
            BuiltinOp::Unshift => self.splice(0, 0, data, step.id),
            BuiltinOp::Splice => match &data[..] {
                [Datum::Number(start), Datum::Number(n_deleted), inserted @ ..] => {
                    self.splice(*start as usize, *n_deleted as usize, inserted.to_vec(), step.id);
                }
                _ => self.is_complete = false,
            },
            BuiltinOp::MapSet | BuiltinOp::SetAdd | BuiltinOp::Delete => {
                let mut data = data.into_iter();
                let Some(key) = data.next().map(Datum::into_entry_key) else { return };
                if self.entries.get(&key).is_none() {
                    self.touch_unseen();
                }
                match op {
                    BuiltinOp::Delete => self.entries.remove(&key),
                    // An element that is there already stays as it is.
                    BuiltinOp::SetAdd if self.entries.get(&key).is_some() => {}
                    _ => {
                        let value = data.next().unwrap_or(Datum::Bool(true));
                        self.entries.set(key, Slot { value, since: step.id });
                    }
                }
            }
            BuiltinOp::Clear => {
                self.entries.clear();
                (self.n_unseen, self.is_unseen_exact) = (0, true);
                self.is_complete = true;
            }
            BuiltinOp::DefineProperty | BuiltinOp::SetProperty => {
                if let Some(key) = key {
                    self.set(key, data.get(1).cloned().unwrap_or(Datum::NotCaptured), step.id);
                }
            }
            BuiltinOp::DeleteProperty => {
                if let Some(key) = key {
                    self.remove(&key, step.id);
                }
            }
            // The look that follows shows the whole.
            BuiltinOp::Refill => {}
            BuiltinOp::Freeze => self.is_frozen = true,
            BuiltinOp::SetPrototype | BuiltinOp::Seal | BuiltinOp::PreventExtensions => {}
        }
    }

    fn set(&mut self, key: PropertyKey, value: Datum, since: EventId) {
        let slot = Slot { value, since };
        if let Some(elements) = &mut self.elements {
            if self.trace.is_length(&key) {
                if let Datum::Number(length) = slot.value {
                    let gone = elements.set_length(length as usize);
                    self.removed.extend(gone.into_iter().map(|index| (index, since)));
                    self.length_since = Some(since);
                }
                return;
            }
            // Those of a call do not become more; what is written behind them is a property like others.
            let is_fixed = self.class.is_some_and(|class| self.trace.class_traits(class).is_of_fixed_length);
            if let Some(index) = self.trace.element_at(&key).filter(|index| !is_fixed || *index < elements.len()) {
                if index >= elements.len() {
                    self.length_since = Some(since);
                }
                elements.set(index, slot);
                self.removed.remove(&index);
                return;
            }
        }
        if self.named.get(&key).is_none() {
            self.touch_unseen();
        }
        self.named.set(key, slot);
    }

    fn remove(&mut self, key: &PropertyKey, since: EventId) {
        if let Some(elements) = &mut self.elements
            && let Some(index) = self.trace.element_at(key)
            && index < elements.len()
        {
            if elements.remove(index).is_some() {
                self.removed.insert(index, since);
            }
        } else {
            if self.named.get(key).is_none() {
                self.touch_unseen();
            }
            self.named.remove(key);
        }
    }

    /// Elements from `start` on: some go, others come, the rest moves.
    fn splice(&mut self, start: usize, n_deleted: usize, inserted: Vec<Datum>, since: EventId) {
        let Some(elements) = &mut self.elements else {
            self.is_complete = false;
            return;
        };
        let length = elements.len();
        elements.splice(start, n_deleted, inserted, &mut self.removed, since);
        if elements.len() != length {
            self.length_since = Some(since);
        }
    }
}

/// An object with more events than this is not replayed as a whole if it need not be, unless they are near to each other: then
/// they are in few segments, and quickly read.
const MOST_REPLAYED: usize = 1000;
const NEAR: u64 = 100_000;
const MOST_OLDEST: usize = 200;
/// So many keys that were taken from an object are passed on the way to where it was last shown as a whole.
const MOST_PASSED: usize = 200;
/// Reading so many keys one by one takes as long as replaying some hundred thousand events.
const MOST_KEYS: usize = 1000;
/// An object of more keys than that is replayed all the same, up to so many events.
const MOST_OF_WIDE: usize = 5_000_000;
