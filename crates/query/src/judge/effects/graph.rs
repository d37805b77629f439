//! The objects that a call could reach, when it began and when it was over.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use trace_model::{EventId, ObjectClass, ObjectId};
use trace_store::PropertyKey;

use super::super::{Node, Tree};
use super::record::Happenings;
use super::{FieldChange, ObjectStates, fields};
use crate::change::is_index;
use crate::{Contents, Datum, Trace};

pub(super) struct Graph<'g, 'a> {
    trace: &'g Trace<'a>,
    begun: EventId,
    over: EventId,
    happened: &'g Happenings,
    objects: BTreeMap<ObjectId, ObjectStates>,
    /// In the order in which they were found.
    order: Vec<ObjectId>,
    open: VecDeque<ObjectId>,
    unknown: Vec<String>,
    is_cut: bool,
}

const MOST_OBJECTS: usize = 1_000;

impl<'g, 'a> Graph<'g, 'a> {
    pub fn new(trace: &'g Trace<'a>, (begun, over): (EventId, EventId), happened: &'g Happenings) -> Graph<'g, 'a> {
        Graph {
            trace,
            begun,
            over,
            happened,
            objects: BTreeMap::new(),
            order: Vec::new(),
            open: VecDeque::new(),
            unknown: Vec::new(),
            is_cut: false,
        }
    }

    pub fn root(&mut self, name: &str, entry: Option<&Datum>, exit: Option<&Datum>) {
        for datum in [entry, exit].into_iter().flatten() {
            self.reach(datum, || name.to_owned());
        }
    }

    fn reach(&mut self, datum: &Datum, place: impl FnOnce() -> String) {
        let Datum::Object(object) = datum else { return };
        if self.objects.contains_key(object) || self.trace.is_function(*object) == Some(true) {
            return;
        }
        if self.objects.len() >= MOST_OBJECTS {
            self.is_cut = true;
            return;
        }
        self.objects.insert(*object, ObjectStates { place: Some(place()), entry: None, exit: None });
        self.order.push(*object);
        self.open.push_back(*object);
    }

    /// Everything that can be reached; then what was changed and cannot.
    pub fn follow(&mut self) {
        self.follow_open();
        let mut others: Vec<ObjectId> = self.happened.objects.iter().copied().collect();
        others.sort_unstable();
        for object in others {
            if self.objects.contains_key(&object) || self.trace.is_function(object) == Some(true) {
                continue;
            }
            // What the call made for itself and left behind is nobody's business.
            let Some(entry) = self.contents(object, self.begun) else { continue };
            let exit = self.contents(object, self.over);
            let is_changed = exit.as_ref().is_none_or(|exit| differ(&entry, exit));
            if is_changed && self.objects.len() < MOST_OBJECTS {
                self.objects.insert(object, ObjectStates { place: None, entry: Some(entry), exit });
                self.order.push(object);
            }
        }
    }

    fn follow_open(&mut self) {
        while let Some(object) = self.open.pop_front() {
            let entry = self.contents(object, self.begun);
            let exit = match entry {
                Some(_) if !self.happened.concerns(object) => entry.clone(),
                _ => self.contents(object, self.over),
            };
            let place = self.objects[&object].place.clone().unwrap_or_default();
            if entry.is_none() && exit.is_none() {
                self.unknown.push(format!("what {place} holds was not captured"));
            } else if let Some(part) = exit.as_deref().or(entry.as_deref()).filter(|contents| !contents.is_complete)
                && !is_opaque(part.class)
            {
                self.unknown.push(format!("not all of {place} was captured"));
            }
            for contents in [&entry, &exit].into_iter().flatten() {
                self.reach_from(&place, contents);
            }
            if let Some(states) = self.objects.get_mut(&object) {
                (states.entry, states.exit) = (entry, exit);
            }
        }
    }

    fn reach_from(&mut self, place: &str, contents: &Arc<Contents>) {
        for (key, slot) in &contents.properties {
            self.reach(&slot.value, || member(place, key));
        }
        for (key, slot) in &contents.entries {
            self.reach(key, || format!("{place}.<key>"));
            self.reach(&slot.value, || format!("{place}.get({})", key.text()));
        }
    }

    fn contents(&self, object: ObjectId, before: EventId) -> Option<Arc<Contents>> {
        self.trace.contents(object, before).map(Arc::new)
    }

    /// The fields that hold something else than before, of objects that were there before.
    pub fn changes(&self, tree: &Tree, node: Node) -> Vec<FieldChange> {
        let mut changes = Vec::new();
        for object in &self.order {
            let states = &self.objects[object];
            let (Some(entry), Some(exit)) = (&states.entry, &states.exit) else { continue };
            if Arc::ptr_eq(entry, exit) {
                continue;
            }
            let place = states.place.clone().unwrap_or_else(|| format!("#{}", object.0));
            let only_others = !self.happened.is_cut && !self.happened.objects.contains(object);
            let before: HashMap<String, &Datum> = fields(entry).map(|(key, value, _)| (key, value)).collect();
            let mut kept = std::collections::HashSet::new();
            for (key, new, since) in fields(exit) {
                let old = before.get(&key).copied();
                if old != Some(new) {
                    let by_others = self.happened.has_others && !self.is_of(tree, node, since);
                    changes.push(change(*object, &place, &key, old, Some(new), by_others));
                }
                kept.insert(key);
            }
            for (key, old, _) in fields(entry).filter(|(key, ..)| !kept.contains(key)) {
                changes.push(change(*object, &place, &key, Some(old), None, only_others));
            }
            let length = |contents: &Contents| contents.length.map(|length| Datum::Number(f64::from(length)));
            let (old, new) = (length(entry), length(exit));
            if old != new {
                changes.push(change(*object, &place, "length", old.as_ref(), new.as_ref(), only_others));
            }
        }
        changes
    }

    /// Whether an event is of the call or of what it called.
    fn is_of(&self, tree: &Tree, node: Node, event: EventId) -> bool {
        let frame = self.trace.thread.step(event).and_then(|step| step.frame);
        frame.and_then(|frame| tree.node_of(frame)).is_none_or(|below| tree.holds(node, below))
    }

    pub fn unknown(&mut self) -> Vec<String> {
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.len() > MOST_TOLD {
            let n_more = unknown.len() - MOST_TOLD;
            unknown.truncate(MOST_TOLD);
            unknown.push(format!("and {n_more} more"));
        }
        if self.is_cut {
            unknown.push(format!("more than {MOST_OBJECTS} objects can be reached: the others are left out"));
        }
        unknown
    }

    pub fn into_objects(self) -> BTreeMap<ObjectId, ObjectStates> {
        self.objects
    }
}

const MOST_TOLD: usize = 5;

/// Objects of which the recorder never takes everything.
fn is_opaque(class: Option<ObjectClass>) -> bool {
    matches!(class, Some(ObjectClass::Function | ObjectClass::Promise | ObjectClass::Weak | ObjectClass::Namespace))
}

fn differ(a: &Contents, b: &Contents) -> bool {
    let all = |contents: &Contents| -> Vec<(String, Datum)> {
        fields(contents).map(|(key, value, _)| (key, value.clone())).collect()
    };
    a.length != b.length || all(a) != all(b)
}

fn change(
    object: ObjectId,
    place: &str,
    key: &str,
    old: Option<&Datum>,
    new: Option<&Datum>,
    by_others: bool,
) -> FieldChange {
    let place = match key.strip_prefix('<').and_then(|key| key.strip_suffix('>')) {
        Some(entry) => format!("{place}.get({entry})"),
        None => member(place, &PropertyKey::Name(key.to_owned())),
    };
    FieldChange { place, object, key: key.to_owned(), old: old.cloned(), new: new.cloned(), by_others }
}

/// `place.key` or `place[0]`
fn member(place: &str, key: &PropertyKey) -> String {
    match key {
        PropertyKey::Name(name) if is_index(key) => format!("{place}[{name}]"),
        PropertyKey::Name(name) if is_name(name) => format!("{place}.{name}"),
        PropertyKey::Name(name) => format!("{place}[{}]", crate::text::quoted(name)),
        PropertyKey::Symbol(_) => format!("{place}[symbol]"),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@'))
}
