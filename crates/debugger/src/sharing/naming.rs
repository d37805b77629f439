//! Which values of events stand under a name that makes them secret, and which objects hold such values.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use trace_model::{
    BuiltinOp, Event, Literal, ObjectClass, ObjectId, Record, SiteId, SiteKind, StringId, TailValues, Value,
};
use trace_store::Thread;

use super::rules::{Rules, Secrecy};

/// The names of one thread.
pub(super) struct Naming<'r> {
    thread: &'r Thread,
    rules: Rc<Rules>,
    /// What names say, each once.
    known: Vec<Hit>,
    by_name: HashMap<String, Option<u32>>,
    /// Of the recorded strings those that are such names, with an index into `known`.
    strings: HashMap<StringId, u32>,
    /// Of these the ones that are options: `--password`.
    options: HashSet<StringId>,
    role_keys: HashMap<StringId, Role>,
    sites: HashMap<SiteId, Vec<Option<u32>>>,
    roles: HashMap<SiteId, Vec<Option<Role>>>,
    /// Sites whose value is a literal that names a secret.
    literals: HashMap<SiteId, u32>,
    /// Objects that stood under such a name: what they hold is secret too.
    marked: HashMap<ObjectId, (u32, u8)>,
    /// Of these the ones that only hold values.
    containers: HashSet<ObjectId>,
    /// Objects that hold the name of a secret under `name` or its like: the secret stands under `value`.
    named_objects: HashMap<ObjectId, u32>,
}

/// What a key says of its value, in an object that is a name with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Name,
    Value,
}

impl Role {
    fn of(key: &str) -> Option<Role> {
        match key {
            "name" | "key" | "field" | "header" | "label" | "id" | "param" | "parameter" | "variable" | "option"
            | "property" | "attribute" => Some(Role::Name),
            "value" | "val" | "content" | "contents" | "text" | "data" | "default" => Some(Role::Value),
            _ => None,
        }
    }
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
            strings: HashMap::new(),
            options: HashSet::new(),
            role_keys: HashMap::new(),
            sites: HashMap::new(),
            roles: HashMap::new(),
            literals: HashMap::new(),
            marked: HashMap::new(),
            named_objects: HashMap::new(),
            containers: HashSet::new(),
        }
    }

    /// Shows each value of an event that is secret by its name; what `act` leaves stays in the event. Gives whether objects were met
    /// whose contents, which may have come before, are secret as well.
    pub fn each(&mut self, event: &mut Event, act: &mut dyn FnMut(&Hit, &mut Value)) -> bool {
        let mut objects: Vec<(ObjectId, u32, u8)> = Vec::new();
        let mut has_new = false;
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
                // An option of a command line.
                let name = text.trim_start_matches('-');
                let is_option = name.len() < text.len();
                let found = self.of_name(name);
                match is_option && found.is_some() {
                    true => drop(self.options.insert(*id)),
                    false => drop(self.options.remove(id)),
                }
                match Role::of(text) {
                    Some(role) => drop(self.role_keys.insert(*id, role)),
                    None => drop(self.role_keys.remove(id)),
                }
                // Few are names, and their numbers are what the trace says.
                match found {
                    Some(found) => drop(self.strings.insert(*id, found)),
                    None => drop(self.strings.remove(id)),
                }
            }
            Event::Record(Record::Look { object, class, entries, .. }) => {
                let held = self.held(*object, is_container(*class));
                let told = match class {
                    ObjectClass::Array => {
                        self.told_before(&entries.iter().map(|(_, value)| *value).collect::<Vec<_>>())
                    }
                    _ => self
                        .told_beside(&entries.iter().map(|(key, value)| (self.role(*key), *value)).collect::<Vec<_>>()),
                };
                for (at, (key, value)) in entries.iter_mut().enumerate() {
                    let own = self.of_key(*key).or(told.get(at).copied().flatten()).map(|number| (number, 0));
                    see(&self.known, own.or(held), value);
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
                        let told = match kind {
                            Some(SiteKind::ArrayLiteral) => self.told_before(values),
                            _ => {
                                let roles = self.roles.get(site).map(Vec::as_slice).unwrap_or_default();
                                let role = |at: usize| roles.get(at).copied().flatten();
                                let entries = values.iter().enumerate().map(|(at, value)| (role(at), *value));
                                self.told_beside(&entries.collect::<Vec<_>>())
                            }
                        };
                        let held = value.and_then(Value::object).and_then(|object| self.held(object, true));
                        for (at, value) in values.iter_mut().enumerate() {
                            let own = names.get(at).copied().flatten().or(told.get(at).copied().flatten());
                            let own = own.map(|number| (number, 0));
                            see(&self.known, own.or(held), value);
                        }
                    }
                    (TailValues::ObjectAndKey(object, key), _) => {
                        let held = object.and_then(|object| self.held(object, false));
                        if let Some(value) = value {
                            let (told, is_new) = self.told_by_object(*object, self.role(*key), *value);
                            has_new |= is_new;
                            let own = self.of_key(*key).or(told).map(|number| (number, 0));
                            see(&self.known, own.or(held), value);
                        }
                    }
                    (TailValues::Object(object), _) => {
                        let held = object.and_then(|object| self.held(object, false));
                        let role = self.roles[site].first().copied().flatten();
                        // What is a literal of the source is not in the event.
                        if let (None, Some(Role::Name), Some(object), Some(name)) =
                            (&value, role, *object, self.literals.get(site))
                        {
                            has_new |= self.named_objects.insert(object, *name).is_none();
                        }
                        if let Some(value) = value {
                            let (told, is_new) = self.told_by_object(*object, role, *value);
                            has_new |= is_new;
                            see(&self.known, first.or(told.map(|number| (number, 0))).or(held), value);
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

    /// Of the values of a list those that the one before names: `['--password', 'x']`, and pairs of a name and a value.
    fn told_before(&self, values: &[Value]) -> Vec<Option<u32>> {
        let before = |at: usize| {
            at.checked_sub(1).and_then(|before| values.get(before)).and_then(|value| match value {
                Value::String(id) => Some(*id),
                _ => None,
            })
        };
        let told = |at: usize| {
            let id = before(at)?;
            let is_told = self.options.contains(&id) || values.len() == 2 && self.of_key(values[at]).is_none();
            self.strings.get(&id).copied().filter(|_| is_told)
        };
        (0..values.len()).map(told).collect()
    }

    /// Of the values of an object those that stand beside their name: `{ name: 'password', value: 'x' }`.
    fn told_beside(&self, entries: &[(Option<Role>, Value)]) -> Vec<Option<u32>> {
        let named = entries.iter().find_map(|(role, value)| match role {
            Some(Role::Name) => self.of_key(*value),
            _ => None,
        });
        entries.iter().map(|(role, _)| named.filter(|_| *role == Some(Role::Value))).collect()
    }

    /// The same of an object whose properties are written one by one; and whether its name was not known before, as its value may have come
    /// first.
    fn told_by_object(&mut self, object: Option<ObjectId>, role: Option<Role>, value: Value) -> (Option<u32>, bool) {
        match (object, role) {
            (Some(object), Some(Role::Name)) => {
                let name = self.of_key(value);
                (None, name.is_some_and(|name| self.named_objects.insert(object, name).is_none()))
            }
            (Some(object), Some(Role::Value)) => (self.named_objects.get(&object).copied(), false),
            _ => (None, false),
        }
    }

    fn role(&self, key: Value) -> Option<Role> {
        match key {
            Value::String(id) => self.role_keys.get(&id).copied(),
            _ => None,
        }
    }

    fn of_key(&self, key: Value) -> Option<u32> {
        match key {
            Value::String(id) => self.strings.get(&id).copied(),
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
        let names = found.unwrap_or_default();
        let literal = self.thread.site(site).and_then(|found| {
            self.thread.language().literal(found.name(found.site.literal()?)).and_then(|literal| match literal {
                Literal::String(text) => Some(text),
                _ => None,
            })
        });
        if let Some(name) = literal.and_then(|text| self.of_name(&text)) {
            self.literals.insert(site, name);
        }
        self.roles.insert(site, names.iter().map(|name| Role::of(name)).collect());
        let found = names.iter().map(|name| self.of_name(name)).collect();
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
