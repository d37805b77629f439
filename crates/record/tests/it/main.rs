//! Programs recorded in many ways. One program, so that it is linked once; but for `signals.rs`, because signals belong to a whole process.

mod common;
mod parity;
mod processes;
mod programs;
mod recorded;
mod rings;
mod runs;
