//! The debugger, asked about programs of a language that it has never heard of.

mod judging;
mod questions;
mod told;
