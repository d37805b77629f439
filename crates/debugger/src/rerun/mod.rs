//! Answers by running the program again, with only the hooks that the question needs.
//!
//! A question becomes a policy ([`plan`]); the program runs under it; the engine answers, or says what is missing, and the policy
//! grows ([`Rerun::ask`]). Points of earlier answers are found again by what they are: the question that gave them, asked in the
//! new run, from the failure on ([`chain`]). So all points of an answer are of one run.

mod asking;
mod chain;
mod growing;
mod live;
mod plan;
mod recording_again;

pub use asking::{Asked, Rerun, Surroundings, Unanswered};
pub(crate) use asking::{STDIN, told};
pub(crate) use chain::{Definition, Definitions, EarlierAnswer};
pub use growing::{FunctionsOfFile, GrownPath, GrowthEnd, GrowthStep};
pub use plan::{Hook, Plan, needs_program};
