use std::collections::{BTreeMap, BTreeSet};

use crate::{FunctionKey, LocalSite};

/// What is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Everything that the filter lets through.
    Filtered(Filter),
    /// Only what some questions need.
    Needed(Need),
}

/// What a person wants to be recorded. The full one lets everything through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter {
    pub kinds: EventKinds,
    /// Only functions of these names (as a stack trace would name them) or that contain these lines; everything if `None`.
    pub functions: Option<BTreeSet<FunctionFilter>>,
    /// Only writes of properties of these names; all if `None`.
    pub properties: Option<BTreeSet<String>>,
    /// Only writes of variables of these names; all if `None`.
    pub variables: Option<BTreeSet<String>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FunctionFilter {
    Named(String),
    /// The innermost function around this line of the file whose path ends so.
    AtLine {
        path: String,
        line: u32,
    },
}

/// What some questions need to be recorded: names before the program ran, sites when it did. Which sites that means in a
/// piece of code, [`crate::Selection`] says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Need {
    /// Whatever writes a property of one of these names, of any object.
    pub properties: BTreeSet<String>,
    /// Whatever writes elements of arrays, or moves them.
    pub elements: bool,
    /// Every time one of these lines is executed. A file is named by the end of its path.
    pub lines: BTreeSet<(String, u32)>,
    /// What the variables of these names held, in the functions that can see one of the lines: `this` and `arguments` among them.
    pub variables: BTreeSet<String>,
    /// These sites, by the path of their code.
    pub sites: BTreeMap<String, BTreeSet<LocalSite>>,
    /// The entry and exit of every function.
    pub frames: bool,
    /// Everything that happens in these functions, by the name of their file ([`crate::installed_name`]).
    pub functions: BTreeMap<String, BTreeSet<FunctionKey>>,
    /// What control does in these functions, named alike: no values, no variables, no objects.
    pub flow: BTreeMap<String, BTreeSet<FunctionKey>>,
}

/// Kinds of event, switched on one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventKinds {
    pub calls: bool,
    pub branches: bool,
    pub variables: bool,
    pub properties: bool,
    pub births: bool,
}

impl EventKinds {
    pub const ALL: EventKinds =
        EventKinds { calls: true, branches: true, variables: true, properties: true, births: true };
    pub const NONE: EventKinds =
        EventKinds { calls: false, branches: false, variables: false, properties: false, births: false };
}

impl Filter {
    pub fn full() -> Filter {
        Filter { kinds: EventKinds::ALL, functions: None, properties: None, variables: None }
    }
}

impl Policy {
    pub fn full() -> Policy {
        Policy::Filtered(Filter::full())
    }

    pub fn is_full(&self) -> bool {
        *self == Policy::full()
    }
}

impl Need {
    /// Takes in what another question needs.
    pub fn add(&mut self, other: &Need) {
        self.properties.extend(other.properties.iter().cloned());
        self.elements |= other.elements;
        self.lines.extend(other.lines.iter().cloned());
        self.variables.extend(other.variables.iter().cloned());
        self.frames |= other.frames;
        for (path, sites) in &other.sites {
            self.sites.entry(path.clone()).or_default().extend(sites);
        }
        for (file, functions) in &other.functions {
            self.functions.entry(file.clone()).or_default().extend(functions);
        }
        for (file, functions) in &other.flow {
            self.flow.entry(file.clone()).or_default().extend(functions);
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Need::default()
    }

    /// Whether writes of properties are asked for.
    pub fn has_properties(&self) -> bool {
        self.elements || !self.properties.is_empty()
    }

    /// Whether elements can be what is asked for, by whatever name: that of a counter before it counts is `undefined`.
    pub fn reaches_elements(&self) -> bool {
        let is_counted = |name: &String| matches!(name.as_str(), "length" | "undefined") || name.parse::<f64>().is_ok();
        self.elements || self.properties.iter().any(is_counted)
    }

    /// Whether writes of a property are among what is asked for.
    pub fn has_property(&self, name: &str) -> bool {
        self.properties.contains(name) || self.elements && is_of_elements(name)
    }
}

/// Whether a key is an index, or the length: what moving elements about changes.
fn is_of_elements(name: &str) -> bool {
    let is_index = || name == "0" || !name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit());
    name == "length" || !name.is_empty() && is_index()
}
