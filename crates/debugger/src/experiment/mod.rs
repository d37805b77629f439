//! Runs with one thing different. By hand ([`Session::try_out`]): what would have happened. As a search ([`Session::experiment`]): which
//! decisions or values, had they been otherwise, would have kept the failure from happening.
//!
//! Nothing of it touches the project: everything runs on a stage (`record::Stage`), and nothing is left behind. The order and the
//! proof are pure (`query::experiments`); what is here runs the program, first as it is, and compares.

mod differences;
mod lab;
mod search;
mod trying;
mod words;

use std::time::Duration;

use trace_model::InterventionChange;

pub use differences::{FailureAfter, LineDifference};
pub use search::{Experiments, Proven};
pub use trying::TryAnswer;

use crate::ask::Point;
use crate::{Cancel, PointText, SignalsOf};

/// What may be spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    pub runs: usize,
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 100, time: Duration::from_secs(30) }
    }
}

#[derive(Clone, Debug, Default)]
pub struct ExperimentRequest {
    pub thread: Option<String>,
    /// Which of several failures, from 1; nothing: the first.
    pub failure: Option<usize>,
    pub budget: Budget,
    /// The program may write outside of its folder, start other programs and use the network.
    pub allows_effects: bool,
    /// To whom signals belong meanwhile; [`SignalsOf::TheProgram`]: what is to end this process ends the experiments.
    pub signals: SignalsOf,
    pub cancel: Cancel,
}

#[derive(Clone, Debug)]
pub struct TryRequest {
    pub at: Option<PointText>,
    /// Of a line, that of its times at which this expression is true.
    pub condition: Option<String>,
    pub thread: Option<String>,
    pub change: ExperimentChange,
    pub allows_effects: bool,
    pub signals: SignalsOf,
    pub cancel: Cancel,
}

/// What is to be different.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExperimentChange {
    /// The decision goes the other way.
    Turn,
    /// The statement is left out.
    Skip,
    /// The value is this, as the source would write it.
    Value(String),
}

impl From<&ExperimentChange> for InterventionChange {
    fn from(change: &ExperimentChange) -> InterventionChange {
        match change {
            ExperimentChange::Turn => InterventionChange::Turn,
            ExperimentChange::Skip => InterventionChange::Skip,
            ExperimentChange::Value(text) => InterventionChange::Value(text.clone()),
        }
    }
}

/// What is about to be run, for the person to know before it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    pub command: Vec<String>,
    pub budget: Budget,
    pub at_once: usize,
    /// Whether nothing outside of the folder can be written and nobody be talked to; else only the folder is kept apart.
    pub is_closed: bool,
}
