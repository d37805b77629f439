//! What could happen in a program, as its source tells: which function may call which, which objects may be met where, and what
//! is done to them there. The analysis of a language makes it; from here on it is language-neutral, and nothing in it is certain
//! unless a run was seen to do it.

use crate::{FunctionIndex, Span};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
    )*};
}

ids! {
    /// A piece of code: an index into the list that was analysed.
    CodeIndex,
    /// An index into [`ProgramFacts::functions`].
    ProgramFunction,
    /// An index into [`ProgramFacts::births`].
    BirthId,
    /// An index into [`ProgramFacts::sets`].
    BirthSet,
}

/// What the analysis of a whole program gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramFacts {
    pub functions: Vec<CodeFunction>,
    /// By caller, then by place.
    pub calls: Vec<MayCall>,
    pub births: Vec<MayBirth>,
    /// Sorted; many operations share one.
    pub sets: Vec<Vec<BirthId>>,
    pub operations: Vec<Operation>,
    /// What the analysis could not see, in words for the person: code that could not be read, a budget that was hit.
    pub limits: Vec<String>,
}

/// A function, and the piece of code that it is in. Function 0 is the top level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CodeFunction {
    pub code: CodeIndex,
    pub function: FunctionIndex,
}

/// A place in a piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodeSpan {
    pub code: CodeIndex,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MayCall {
    pub caller: ProgramFunction,
    /// The call; where a built-in calls back (`list.forEach(f)`), the call of that; where an access calls (a getter), the access.
    pub span: Span,
    pub callee: ProgramFunction,
    pub how: CallHow,
    pub certainty: Certainty,
}

/// Whether the caller waits for the callee.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallHow {
    /// A call, a `new`, an accessor, a callback that a built-in calls before it returns.
    Direct,
    /// It is only registered there: a listener, a timer, a reaction of a promise.
    Later,
    /// The call chooses by a name that the callee has as well, in an object that was not found to come there.
    ByName,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// By the source: it may.
    May,
    /// A run was seen to do it.
    Observed,
}

/// Where objects are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MayBirth {
    /// The literal, the `new`, the function or class, or the call of a built-in that gives a new object.
    pub at: CodeSpan,
    pub function: ProgramFunction,
}

/// Something that is done to an object, if control comes there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    pub function: ProgramFunction,
    /// The whole expression: `d.add(n)`, `o.x = 1`.
    pub span: Span,
    /// The part of it that stands for the object: `d`, `o`.
    pub object: Span,
    pub kind: OperationKind,
    /// The objects that the part may stand for; none: nothing is known to come there.
    pub objects: BirthSet,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OperationKind {
    /// A property is written; no name: it is computed, and not known.
    Write(Option<String>),
    /// A property is removed.
    Remove(Option<String>),
    /// A built-in of this name changes the contents: `push`, `set`, `sort`.
    Change(String),
    /// A method is called that the analysis found no code of, so what it does is not known.
    UnknownMethod(String),
    /// It is handed to code that was not analysed.
    HandedOut,
    /// A property is read, or a method called that changes nothing by itself.
    Read(Option<String>),
}

impl OperationKind {
    /// The name of the property, or of the method.
    pub fn name(&self) -> Option<&str> {
        match self {
            OperationKind::Write(name) | OperationKind::Remove(name) | OperationKind::Read(name) => name.as_deref(),
            OperationKind::Change(name) | OperationKind::UnknownMethod(name) => Some(name),
            OperationKind::HandedOut => None,
        }
    }

    /// Whether it could change the object.
    pub fn may_change(&self) -> bool {
        !matches!(self, OperationKind::Read(_))
    }
}
