//! The objects that a call could reach, when it began and when it was over.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use trace_model::{EntryAccess, EventId, LanguageRef, ObjectClass, ObjectId};
use trace_store::PropertyKey;

use super::super::{Node, Tree};
use super::record::Happenings;
use super::{FieldChange, ObjectStates, fields};
use crate::{Contents, Datum, Property, Slot, Trace};

pub(in crate::judge) struct Graph<'g, 'a> {
    trace: &'g Trace<'a>,
    begun: EventId,
    over: EventId,
    happened: &'g Happenings,
    objects: BTreeMap<ObjectId, ObjectStates>,
    /// In the order in which they were found.
    order: Vec<ObjectId>,
    open: VecDeque<ObjectId>,
    /// Those of which nothing else is followed.
    functions: Vec<ObjectId>,
    n_told: usize,
    unknown: Vec<String>,
    is_cut: bool,
}

/// So many are told of a call: more nobody reads, and each costs time before the question comes.
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
            functions: Vec::new(),
            n_told: 0,
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
        if self.objects.contains_key(object) {
            return;
        }
        let is_function = self.is_function(*object);
        if is_function && !self.functions.contains(object) {
            self.functions.push(*object);
        }
        if is_function && !self.happened.concerns(*object) && !holds_state(self.trace, *object, self.over) {
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
            if self.objects.contains_key(&object) {
                continue;
            }
            // What the call made for itself and left behind is nobody's business.
            let Some(entry) = self.contents(object, self.begun) else { continue };
            let exit = self.contents(object, self.over);
            let is_changed = exit.as_ref().is_none_or(|exit| differ(self.trace.language(), &entry, exit));
            if is_changed && self.objects.len() < MOST_OBJECTS {
                self.objects.insert(object, ObjectStates { place: None, entry: Some(entry), exit });
                self.order.push(object);
            }
        }
    }

    /// Functions that were reached, in order; each is told once.
    pub fn take_functions(&mut self) -> Vec<ObjectId> {
        let told = std::mem::replace(&mut self.n_told, self.functions.len());
        self.functions[told..].to_vec()
    }

    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub fn follow_open(&mut self) {
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
                && !is_opaque(self.trace.language(), part.class)
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
        if contents.class == Some(ObjectClass::Function) {
            // Its methods are code, as it is itself.
            let language = self.trace.language();
            let data = contents.properties.iter().filter(|(key, _)| !is_of_every_function(language, key));
            data.for_each(|(key, slot)| self.reach(&slot.value, || member(language, place, key)));
            return;
        }
        self.reach_inherited(place, contents);
        let language = self.trace.language();
        for (key, slot) in &contents.properties {
            self.reach(&slot.value, || member(language, place, key));
        }
        for (key, slot) in &contents.entries {
            self.reach(key, || format!("{place}.<key>"));
            let entry = || language.text_of_entry(place, &language.text(key), EntryAccess::Value);
            self.reach(&slot.value, entry);
        }
    }

    /// What an object has from its class, or from whatever else it was made after: only data, as methods do not change.
    fn reach_inherited(&mut self, place: &str, contents: &Contents) {
        let Some(prototype) = contents.prototype else { return };
        let language = self.trace.language();
        let constructor = language.constructor_key();
        let class = constructor.and_then(|key| {
            match self.trace.own_property(prototype, &PropertyKey::Name(key.into()), self.over) {
                Property::Own { value: Datum::Object(class), .. } => Some(class),
                _ => None,
            }
        });
        // Of a built-in class nothing is known, and it holds nothing of the program.
        if class.is_some_and(|class| !self.is_function(class)) {
            return;
        }
        if let Some(class) = class {
            self.reach(&Datum::Object(class), || {
                contents.name.clone().unwrap_or_else(|| format!("{place}.{}", constructor.unwrap_or_default()))
            });
        }
        // It leads to the class.
        let has_class = class.is_some_and(|class| self.objects.contains_key(&class));
        if has_class || holds_state(self.trace, prototype, self.over) {
            self.reach(&Datum::Object(prototype), || {
                format!("{place}.{}", language.prototype_key().unwrap_or_default())
            });
        }
    }

    fn is_function(&self, object: ObjectId) -> bool {
        self.trace.is_function(object) == Some(true)
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
            let place = states.place.clone().unwrap_or_else(|| self.name_of_unreachable(*object));
            let only_others = !self.happened.is_cut && !self.happened.objects.contains(object);
            let language = self.trace.language();
            let before: HashMap<String, &Datum> = fields(language, entry).map(|(key, value, _)| (key, value)).collect();
            let mut kept = std::collections::HashSet::new();
            // A function has a prototype from the start, which is seen when somebody asks for it.
            let is_seen_late =
                |key: &str| language.made_prototype_key() == Some(key) && exit.class == Some(ObjectClass::Function);
            for (key, new, since) in
                fields(language, exit).filter(|(key, ..)| before.contains_key(key) || !is_seen_late(key))
            {
                let old = before.get(&key).copied();
                if old != Some(new) {
                    let by_others = self.happened.has_others && !self.is_of(tree, node, since);
                    changes.push(change(language, exit, &place, &key, old, Some(new), by_others));
                }
                kept.insert(key);
            }
            for (key, old, _) in fields(language, entry).filter(|(key, ..)| !kept.contains(key)) {
                changes.push(change(language, exit, &place, &key, Some(old), None, only_others));
            }
            let length = |contents: &Contents| contents.length.map(|length| Datum::Number(f64::from(length)));
            let (old, new) = (length(entry), length(exit));
            if old != new {
                changes.push(change(
                    language,
                    exit,
                    &place,
                    language.length_key().unwrap_or_default(),
                    old.as_ref(),
                    new.as_ref(),
                    only_others,
                ));
            }
        }
        changes
    }

    fn name_of_unreachable(&self, object: ObjectId) -> String {
        let global = self.trace.global_object().filter(|global| *global == object);
        let name = global.and_then(|_| self.trace.language().names_of_global_object().first());
        name.map_or_else(|| format!("#{}", object.0), |name| (*name).to_owned())
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

/// Sentences about what is not known.
const MOST_TOLD: usize = 5;

/// Whether a function or a prototype has properties that are data: fields of a class, and not its methods.
pub(super) fn holds_state(trace: &Trace, object: ObjectId, before: EventId) -> bool {
    let is_code = |value: &Datum| matches!(value, Datum::Object(held) if trace.is_function(*held) == Some(true));
    let is_data = |(key, slot): &(PropertyKey, Slot)| {
        !is_of_every_function(trace.language(), key) && slot.value != Datum::Accessor && !is_code(&slot.value)
    };
    trace.contents(object, before).is_some_and(|contents| contents.properties.iter().any(is_data))
}

fn is_of_every_function(language: LanguageRef, key: &PropertyKey) -> bool {
    key.name().is_some_and(|name| language.is_of_every_function(name))
}

/// Objects of which the recorder never takes everything.
fn is_opaque(language: LanguageRef, class: Option<ObjectClass>) -> bool {
    class.is_some_and(|class| language.class_traits(class).is_opaque)
}

fn differ(language: LanguageRef, a: &Contents, b: &Contents) -> bool {
    let all = |contents: &Contents| -> Vec<(String, Datum)> {
        fields(language, contents).map(|(key, value, _)| (key, value.clone())).collect()
    };
    a.length != b.length || all(a) != all(b)
}

fn change(
    language: LanguageRef,
    contents: &Contents,
    place: &str,
    key: &str,
    old: Option<&Datum>,
    new: Option<&Datum>,
    by_others: bool,
) -> FieldChange {
    let place = match key.strip_prefix('<').and_then(|key| key.strip_suffix('>')) {
        Some(entry) if contents.class == Some(ObjectClass::Set) => {
            language.text_of_entry(place, entry, EntryAccess::Presence)
        }
        Some(entry) => language.text_of_entry(place, entry, EntryAccess::Value),
        None => member(language, place, &PropertyKey::Name(key.to_owned())),
    };
    FieldChange { place, object: contents.object, key: key.to_owned(), old: old.cloned(), new: new.cloned(), by_others }
}

/// `place.key` or `place[0]`
fn member(language: LanguageRef, place: &str, key: &PropertyKey) -> String {
    match key {
        PropertyKey::Name(name) if language.element_at(name).is_some() => format!("{place}[{name}]"),
        PropertyKey::Name(name) if is_name(name) => format!("{place}.{name}"),
        PropertyKey::Name(name) => format!("{place}[{}]", language.text(&Datum::String(name.as_str().into()))),
        PropertyKey::Symbol(_) => format!("{place}[symbol]"),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@'))
}
