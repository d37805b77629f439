//! What JavaScript brings to the engine beside its syntax: values, objects, failures, habits of programs, libraries.
//! Nothing here knows a syntax tree.

mod built_in;
mod failures;
mod habits;
mod libraries;
mod literals;
mod memory;
mod objects;
pub(crate) mod operators;
pub(crate) mod text;
pub(crate) mod values;
