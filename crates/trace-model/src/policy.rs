use std::collections::BTreeSet;

/// What is recorded. The full policy records everything; a policy made for one question records what it needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
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

impl Policy {
    pub fn full() -> Policy {
        Policy { kinds: EventKinds::ALL, functions: None, properties: None, variables: None }
    }
}
