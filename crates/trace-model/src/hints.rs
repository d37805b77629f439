//! What runs were seen to do, for whoever analyses a program. These are facts, and are told as such; what did not run is told by
//! its source.

use crate::{CodeFunction, CodeIndex, CodeSpan, Span};

#[derive(Clone, Default, Debug)]
pub struct Hints {
    /// A function was entered from this call (of it, or of a built-in that called it), or from this access of a property. That of
    /// the top level of a file is what `require` did.
    pub calls: Vec<ObservedCall>,
    /// A property was written under a key that the source does not tell.
    pub writes: Vec<ObservedWrite>,
    /// What was read under such a key.
    pub reads: Vec<ObservedRead>,
    /// Functions that were entered.
    pub entered: Vec<CodeFunction>,
    /// Literals, `new` and classes that made an object.
    pub births: Vec<CodeSpan>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObservedCall {
    pub caller: CodeFunction,
    /// `None`: which call of the caller it was is not known.
    pub span: Option<Span>,
    pub callee: CodeFunction,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObservedWrite {
    /// The assignment, or the call of a built-in that wrote.
    pub at: CodeSpan,
    pub key: String,
    /// `None`: no object that the source tells the birth of.
    pub object: Option<ObservedObject>,
    pub value: Option<ObservedObject>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObservedRead {
    pub at: CodeSpan,
    pub value: ObservedObject,
}

/// An object, by where it comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ObservedObject {
    /// It was made there: by a literal, a `new`, a call.
    Born(CodeSpan),
    Function(CodeFunction),
    /// What the object that is made there has under a name from the start.
    Under(CodeSpan, String),
    /// The `prototype` that the function or class has from the start.
    PrototypeOf(CodeFunction),
    /// What a CommonJS module exports unless it says otherwise.
    ExportsOf(CodeIndex),
}
