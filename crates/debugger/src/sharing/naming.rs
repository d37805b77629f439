//! Which values of events stand under a name that makes them secret, and which objects hold such values.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use trace_model::{BuiltinOp, Event, ObjectClass, ObjectId, Record, SiteId, SiteKind, StringId, TailValues, Value};
use trace_store::Thread;

use super::rules::{Rules, Secrecy};

/// The names of one thread.
pub(super) struct Naming<'r> {
    thread: &'r Thread,
    rules: Rc<Rules>,
    /// What names say, each once.
    known: Vec<Hit>,
    by_name: HashMap<String, Option<u32>>,
    /// For each recorded string whether it is such a name, as an index into `known`.
    strings: Vec<Option<u32>>,
    sites: HashMap<SiteId, Vec<Option<u32>>>,
    /// Objects that stood under such a name: what they hold is secret too.
    marked: HashMap<ObjectId, (u32, u8)>,
    /// Of these the ones that only hold values.
    containers: HashSet<ObjectId>,
}

#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub name: String,
    pub secrecy: Secrecy,
}

/// How far it is followed from object to object.
const DEEPEST: u8 = 4;

impl<'r> Naming<'r> {
    pub fn new(thread: &'r Thread, rules: Rc<Rules>) -> Naming<'r> {
        Naming {
            thread,
            rules,
            known: Vec::new(),
            by_name: HashMap::new(),
            strings: Vec::new(),
            sites: HashMap::new(),
            marked: HashMap::new(),
            containers: HashSet::new(),
        }
    }

    /// Shows each value of an event that is secret by its name; what `act` leaves stays in the event. Gives whether objects were met
    /// whose contents, which may have come before, are secret as well.
    pub fn each(&mut self, event: &mut Event, act: &mut dyn FnMut(&Hit, &mut Value)) -> bool {
        let mut objects: Vec<(ObjectId, u32, u8)> = Vec::new();
        let mut see = |known: &[Hit], found: Option<(u32, u8)>, value: &mut Value| {
            let Some((number, depth)) = found else { return };
            let hit = &known[number as usize];
            if let (Some(object), Secrecy::Always(_)) = (value.object(), &hit.secrecy)
                && depth < DEEPEST
            {
                objects.push((object, number, depth + 1));
            }
            act(hit, value);
        };
        match event {
            Event::Record(Record::String(id, text)) => {
                let found = self.of_name(text);
                let at = id.0 as usize;
                if self.strings.len() <= at {
                    self.strings.resize(at + 1, None);
                }
                self.strings[at] = found;
            }
            Event::Record(Record::Look { object, class, entries, .. }) => {
                let held = self.held(*object, is_container(*class));
                for (key, value) in entries {
                    see(&self.known, self.of_key(*key).map(|number| (number, 0)).or(held), value);
                }
            }
            Event::Record(Record::Effect { object, op, values }) => {
                let held = self.held(*object, false);
                match (op, &mut values[..]) {
                    (BuiltinOp::MapSet | BuiltinOp::DefineProperty | BuiltinOp::SetProperty, [key, value, ..]) => {
                        see(&self.known, self.of_key(*key).map(|number| (number, 0)).or(held), value);
                    }
                    (BuiltinOp::Push | BuiltinOp::Unshift | BuiltinOp::SetAdd | BuiltinOp::Splice, values) => {
                        values.iter_mut().for_each(|value| see(&self.known, held, value));
                    }
                    _ => {}
                }
            }
            Event::Record(_) => {}
            Event::Site { site, value, tail } => {
                let kind = self.thread.site(*site).map(|site| site.site.kind);
                self.prepare(*site);
                let names = &self.sites[site];
                let first = names.first().copied().flatten().map(|number| (number, 0));
                match (tail, kind) {
                    (TailValues::Values(values), Some(SiteKind::ObjectLiteral | SiteKind::ArrayLiteral)) => {
                        let names = names.clone();
                        let held = value.and_then(Value::object).and_then(|object| self.held(object, true));
                        for (at, value) in values.iter_mut().enumerate() {
                            let own = names.get(at).copied().flatten().map(|number| (number, 0));
                            see(&self.known, own.or(held), value);
                        }
                    }
                    (TailValues::ObjectAndKey(object, key), _) => {
                        let held = object.and_then(|object| self.held(object, false));
                        if let Some(value) = value {
                            see(&self.known, self.of_key(*key).map(|number| (number, 0)).or(held), value);
                        }
                    }
                    (TailValues::Object(object), _) => {
                        let held = object.and_then(|object| self.held(object, false));
                        if let Some(value) = value {
                            see(&self.known, first.or(held), value);
                        }
                    }
                    (_, Some(SiteKind::Var | SiteKind::VarIncrement | SiteKind::VarDecrement | SiteKind::Param)) => {
                        if let Some(value) = value {
                            see(&self.known, first, value);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut has_new = false;
        for (object, number, depth) in objects {
            has_new |= self.marked.insert(object, (number, depth)).is_none();
        }
        has_new
    }

    fn held(&mut self, object: ObjectId, is_container: bool) -> Option<(u32, u8)> {
        let marked = self.marked.get(&object).copied()?;
        if is_container {
            self.containers.insert(object);
        }
        self.containers.contains(&object).then_some(marked)
    }

    fn of_key(&self, key: Value) -> Option<u32> {
        match key {
            Value::String(StringId(id)) => self.strings.get(id as usize).copied().flatten(),
            _ => None,
        }
    }

    fn prepare(&mut self, site: SiteId) {
        if self.sites.contains_key(&site) {
            return;
        }
        let found = self
            .thread
            .site(site)
            .map(|site| site.site.names.iter().map(|name| site.name(*name).to_owned()).collect::<Vec<String>>());
        let found = found.unwrap_or_default().iter().map(|name| self.of_name(name)).collect();
        self.sites.insert(site, found);
    }

    fn of_name(&mut self, name: &str) -> Option<u32> {
        if name.len() > LONGEST_NAME {
            return None;
        }
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let found = self.rules.secrecy(name).map(|secrecy| {
            self.known.push(Hit { name: name.to_owned(), secrecy });
            self.known.len() as u32 - 1
        });
        if found.is_some() || self.by_name.len() < MOST_REMEMBERED {
            self.by_name.insert(name.to_owned(), found);
        }
        found
    }
}

const LONGEST_NAME: usize = 60;
const MOST_REMEMBERED: usize = 100_000;

fn is_container(class: ObjectClass) -> bool {
    matches!(class, ObjectClass::Plain | ObjectClass::Array | ObjectClass::Map | ObjectClass::Set)
}
