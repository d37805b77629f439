//! What a language brings beside its syntax ([`crate::Language`]): how its values, its objects and its failures behave, and where
//! its libraries lie. The engine asks; nothing in it knows a language by itself.
//!
//! All of these are functions of plain data. What a language does not have it need not mention: the methods that ask for
//! something special answer that there is none.

mod built_ins;
mod datum;
mod failures;
mod habits;
mod key;
mod libraries;
mod object_model;
mod registry;
mod values;

pub use built_ins::{BuiltIns, Callee, MethodOf, Reading, Unknown};
pub use datum::{Datum, DatumKind, Made, same};
pub use failures::{ErrorKeys, Failures, MessageHint};
pub use habits::{CallThrough, EntryAccess, Habits};
pub use key::PropertyKey;
pub use libraries::{Libraries, ModulePaths};
pub use object_model::{BuiltInOwner, ClassTraits, LookTakes, ObjectModel, Prototype};
pub use registry::{LanguageRef, Languages};
pub use values::{Member, NoObjects, ObjectsThen, Relation, Values};
