//! The words of Wherefore as types: sites, events, values, points, policies. No I/O, no serialisation, no language.

pub mod cancel;
pub mod contract;
mod counterparts;
mod event;
mod facts;
mod hints;
mod identity;
mod installed;
mod intervention;
mod language;
mod likeness;
mod origin;
mod policy;
mod program;
mod redaction;
mod selection;
mod signal;
mod site;
mod spelling;
mod text;
mod value;
pub mod waiting;

pub use counterparts::Counterparts;
pub use event::{BuiltinOp, Event, MessageStep, Record, TailValues};
pub use facts::{
    Asserts, Call, CodeFacts, CodeKind, DeclaredTypes, Dependence, Export, Exported, ExprId, Expression,
    ExpressionError, FunctionFacts, Import, Key, Language, Literal, LogicalOperator, Node, Primitive, ScopeNames,
    SiteFacts, SourceCode, Statement, VariableRef, Way, Writes,
};
pub use hints::{Hints, ObservedCall, ObservedObject, ObservedRead, ObservedWrite};
pub use identity::{FunctionKey, Identities, SiteKey};
pub use installed::{installed_name, is_installed_name};
pub use intervention::{Intervention, InterventionChange};
pub use language::{
    BuiltInOwner, BuiltIns, CallThrough, Callee, ClassTraits, Datum, DatumKind, EntryAccess, ErrorKeys, Failures,
    Habits, LanguageRef, Languages, Libraries, LookTakes, Made, Member, MessageHint, MethodOf, ModulePaths, NoObjects,
    ObjectModel, ObjectsThen, PropertyKey, Prototype, Reading, Relation, Unknown, Values, same,
};
pub use likeness::{SiteLikeness, likenesses};
pub use origin::Origin;
pub use policy::{EventKinds, Filter, FunctionFilter, Need, Policy};
pub use program::{
    BirthId, BirthSet, CallHow, Certainty, CodeFunction, CodeIndex, CodeSpan, MayBirth, MayCall, Operation,
    OperationKind, ProgramFacts, ProgramFunction,
};
pub use redaction::{
    REDACTED, REDACTED_NUMBER, REDACTED_TEXT, is_redacted, redaction_mark, with_redactions_dotted,
    with_redactions_shown,
};
pub use selection::{Choice, Selectable, Selection, ends_with_path, tells_flow};
pub use signal::signal_text;
pub use site::{
    Function, FunctionKind, Making, Owner, Position, Site, SiteKind, SiteTable, Span, Tail, Variable, VariableKind,
};
pub use spelling::{did_you_mean, distance, meant};
pub use text::{string_from_utf16, utf16_from_string};
pub use value::{ObjectClass, Value};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty)),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub $int);
    )*};
}

ids! {
    /// A site in the numbering of one process: the base of its file plus its [`LocalSite`].
    SiteId(u32),
    /// A site in the numbering of its file.
    LocalSite(u32),
    /// An index into [`SiteTable::functions`].
    FunctionIndex(u32),
    /// An index into [`SiteTable::names`].
    NameIndex(u32),
    /// An index into [`SiteTable::variables`].
    VariableIndex(u32),
    /// An activation of a function, or an instance of a block scope; counted per thread from 1.
    FrameId(u32),
    /// An object or function, by identity; counted per thread from 1.
    ObjectId(u32),
    /// A recorded string; counted per thread from 1.
    StringId(u32),
    /// A symbol; counted per thread from 1.
    SymbolId(u32),
    /// The number of an event in its thread, from 0.
    EventId(u64),
}
