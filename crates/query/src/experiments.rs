//! Runs with one thing different: which ones to make of a failure, and what one of them shows. Nothing is run here.
//!
//! An experiment proves a place if the failure is gone without it *and* the program came past the failure: to the very assertion or
//! call that failed, and on from there. A run that merely never gets there proves nothing.

mod past;
mod plan;
mod values;

pub use past::{Past, Spot, WayPast};
pub use plan::{Different, Experiment, experiment_at, experiments};
