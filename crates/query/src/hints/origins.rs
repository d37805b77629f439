//! Where the objects of a run come from, in the terms of the source.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;

use trace_model::{
    CodeFunction, CodeIndex, CodeSpan, FunctionIndex, ObjectId, ObservedObject, SiteId, SiteKind, StringId, Value,
};
use trace_store::ValueView;

use crate::Trace;
use crate::functions::declared_function;

/// So many objects are told apart by their births; what comes later is not hinted at.
const MOST_OBJECTS: usize = 4_000_000;

pub(super) struct Origins<'p, 'a> {
    trace: &'p Trace<'a>,
    codes: &'p HashMap<SiteId, CodeIndex>,
    births: FxHashMap<ObjectId, Birth>,
    /// Prototypes of instances, and the functions that made these.
    of_instances: FxHashMap<ObjectId, (SiteId, FunctionIndex)>,
    /// Objects, the name under which a function was linked with them, and that function.
    links: FxHashSet<(ObjectId, Link, ObjectId)>,
    prototypes: FxHashMap<ObjectId, ObjectId>,
    makers: FxHashMap<SiteId, Maker>,
    texts: FxHashMap<StringId, Option<String>>,
}

#[derive(Clone, Copy)]
enum Birth {
    At(SiteId),
    Function(SiteId, FunctionIndex),
    ExportsOf(SiteId),
    /// Under a name in what a literal made; the name is a text of the run.
    Under(SiteId, StringId),
}

/// What the value of a site is, when it is an object that was not seen before.
#[derive(Clone, Copy)]
enum Maker {
    Unknown,
    Literal,
    Function(FunctionIndex),
    Instance,
    Exports,
    /// A write of `prototype` or `constructor`.
    Links(bool),
}

/// Which property led from a function to its prototype, or back.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Link {
    Prototype,
    Defined(StringId),
}

impl<'p, 'a> Origins<'p, 'a> {
    pub fn new(trace: &'p Trace<'a>, codes: &'p HashMap<SiteId, CodeIndex>) -> Origins<'p, 'a> {
        Origins {
            trace,
            codes,
            births: FxHashMap::default(),
            of_instances: FxHashMap::default(),
            links: FxHashSet::default(),
            prototypes: FxHashMap::default(),
            makers: FxHashMap::default(),
            texts: FxHashMap::default(),
        }
    }

    /// An instance was met in the constructor that made it.
    pub fn instance(&mut self, prototype: ObjectId, unit: SiteId, function: FunctionIndex) {
        self.of_instances.entry(prototype).or_insert((unit, function));
    }

    /// An event has an object as its value; `call`: the call that its constructor, if it is in one, was called by.
    pub fn met(
        &mut self,
        site: SiteId,
        unit: SiteId,
        kind: SiteKind,
        object: ObjectId,
        call: impl FnOnce() -> Option<SiteId>,
    ) {
        if self.births.contains_key(&object) || self.births.len() > MOST_OBJECTS {
            return;
        }
        let birth = match self.maker(site, kind) {
            Maker::Unknown | Maker::Links(_) => None,
            Maker::Literal => Some(Birth::At(site)),
            Maker::Function(function) => Some(Birth::Function(unit, function)),
            Maker::Instance => call().map(Birth::At),
            Maker::Exports => Some(Birth::ExportsOf(unit)),
        };
        if let Some(birth) = birth {
            self.births.insert(object, birth);
        }
    }

    /// `f.prototype = value`, or `object.constructor = value`.
    pub fn put(&mut self, site: SiteId, object: ObjectId, value: ObjectId) {
        match self.maker(site, SiteKind::Put) {
            Maker::Links(true) => drop(self.links.insert((value, Link::Prototype, object))),
            Maker::Links(false) => drop(self.links.insert((object, Link::Prototype, value))),
            _ => {}
        }
    }

    /// A built-in defined a property of a function.
    pub fn defined(&mut self, object: ObjectId, key: ValueView, value: ObjectId) {
        if let Some(Value::String(text)) = key.value() {
            self.links.insert((value, Link::Defined(text), object));
        }
    }

    /// What was in an object when it was first seen: of a literal, what its text has.
    pub fn looked_at(&mut self, object: ObjectId, mut entries: impl Iterator<Item = ValueView>) {
        let Some(&Birth::At(site)) = self.births.get(&object) else { return };
        while let (Some(key), Some(value)) = (entries.next(), entries.next()) {
            if let (Some(Value::String(text)), Some(value)) = (key.value(), value.object())
                && self.births.len() <= MOST_OBJECTS
            {
                self.births.entry(value).or_insert(Birth::Under(site, text));
            }
        }
    }

    /// The places where objects were made.
    pub fn born(&mut self) -> Vec<SiteId> {
        let born = self.births.values().filter_map(|birth| match birth {
            Birth::At(site) => Some(*site),
            Birth::Function(..) | Birth::ExportsOf(_) | Birth::Under(..) => None,
        });
        let mut born: Vec<SiteId> = born.collect();
        born.sort_unstable();
        born.dedup();
        born
    }

    /// When all events were seen: which objects are prototypes of functions.
    pub fn settle(&mut self) {
        let mut links: Vec<(ObjectId, Link, ObjectId)> = self.links.drain().collect();
        links.sort_unstable_by_key(|&(object, link, function)| (object, matches!(link, Link::Defined(_)), function));
        for (object, link, function) in links {
            let is_prototype = match link {
                Link::Prototype => true,
                Link::Defined(text) => self.text(text).as_deref() == Some("prototype"),
            };
            if is_prototype {
                self.prototypes.entry(object).or_insert(function);
            }
        }
    }

    pub fn origin(&mut self, object: ObjectId) -> Option<ObservedObject> {
        if let Some(&birth) = self.births.get(&object) {
            return match birth {
                Birth::At(site) => self.place(site).map(ObservedObject::Born),
                Birth::Function(unit, function) => self.function(unit, function).map(ObservedObject::Function),
                Birth::ExportsOf(unit) => self.codes.get(&unit).copied().map(ObservedObject::ExportsOf),
                Birth::Under(site, text) => Some(ObservedObject::Under(self.place(site)?, self.text(text)?)),
            };
        }
        // What was linked is certain; an instance may have been made of the prototype of another function.
        let linked = self.prototypes.get(&object).and_then(|function| self.births.get(function));
        let of = match linked {
            Some(&Birth::Function(unit, function)) => Some((unit, function)),
            _ => self.of_instances.get(&object).copied(),
        };
        of.and_then(|(unit, function)| self.function(unit, function)).map(ObservedObject::PrototypeOf)
    }

    pub fn place(&self, site: SiteId) -> Option<CodeSpan> {
        let known = self.trace.site(site)?;
        Some(CodeSpan { code: *self.codes.get(&known.unit.record.base)?, span: known.site.span })
    }

    pub fn function(&self, unit: SiteId, function: FunctionIndex) -> Option<CodeFunction> {
        Some(CodeFunction { code: *self.codes.get(&unit)?, function })
    }

    pub fn text(&mut self, text: StringId) -> Option<String> {
        let trace = self.trace;
        self.texts.entry(text).or_insert_with(|| trace.thread.string(text).map(|text| text.to_string())).clone()
    }

    fn maker(&mut self, site: SiteId, kind: SiteKind) -> Maker {
        if let Some(&maker) = self.makers.get(&site) {
            return maker;
        }
        let maker = self.find_maker(site, kind);
        self.makers.insert(site, maker);
        maker
    }

    fn find_maker(&self, site: SiteId, kind: SiteKind) -> Maker {
        use SiteKind::{ArrayLiteral, ClassBirth, Literal, ObjectLiteral, Param, Put, This, Var};
        let Some(known) = self.trace.site(site) else { return Maker::Unknown };
        let name = || known.site.names.first().map(|name| known.name(*name));
        match kind {
            ObjectLiteral | ArrayLiteral | Literal | ClassBirth => Maker::Literal,
            _ if known.site.literal_function().is_some() => {
                known.site.literal_function().map_or(Maker::Unknown, Maker::Function)
            }
            This => Maker::Instance,
            Param if known.site.function.0 == 0 && name() == Some("exports") => Maker::Exports,
            Put if name() == Some("prototype") => Maker::Links(true),
            Put if name() == Some("constructor") => Maker::Links(false),
            Var => declared_function(&known.code.sites, known.site).map_or(Maker::Unknown, Maker::Function),
            _ => Maker::Unknown,
        }
    }
}
