use crate::{LocalSite, Span};

/// One thing that is different in a run: named as a point is, by the code, the site and the hit. Sites do not depend on what is
/// recorded, so what was found in a recording can be changed in a run that records nothing.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Intervention {
    /// The path of the code, as its code record has it.
    pub path: String,
    pub site: LocalSite,
    /// What of the source the change is made to: an expression, or a statement that is left out.
    pub span: Span,
    /// Which of the times of one thread, from 1; `None`: all.
    pub hit: Option<u32>,
    pub change: InterventionChange,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InterventionChange {
    /// A decision goes the other way.
    Turn,
    /// A decision goes this way, whatever it would have been.
    Force(bool),
    /// A statement is not executed; of a declaration, its initialiser.
    Skip,
    /// An expression has another value: this one, in the words of the language.
    Value(String),
}
