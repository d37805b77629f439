//! What the analysis finds in small programs, and that its solver finds what a naive one does.

mod features;
mod limits;
mod modules;
mod objects;
mod program;
mod solver;
