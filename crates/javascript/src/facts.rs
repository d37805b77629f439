//! A source as the engine needs it: expressions, statements, and what depends on which branch.

mod builder;
mod calls;
mod expressions;
mod flow;
mod functions;
mod jumps;
mod modules;
mod sites;
mod statements;
mod writes;

pub(crate) use builder::Builder;
pub(crate) use expressions::{is_index, literal, template_text};
