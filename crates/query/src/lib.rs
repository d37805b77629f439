//! Questions about a recording, as pure functions of trace and question. They answer, or say what the recording does not hold;
//! nothing is guessed and nothing is run.
//!
//! Everything here knows events, places and the facts that a front end tells of the source ([`trace_model::Language`]), and no
//! programming language.

mod call_words;
mod calls;
mod change;
mod coverage;
mod elements;
mod evaluate;
mod experiments;
mod functions;
mod glimpse;
mod globals;
mod hints;
mod history;
mod ignored_writes;
mod in_order;
pub mod judge;
mod last_change;
mod last_condition;
mod mapped;
mod memory;
mod messages;
mod model;
mod modules;
mod moving;
mod objects;
pub mod omissions;
mod outdated;
mod path_to_crash;
mod place;
mod points;
mod printed;
mod project;
mod proxies;
mod replay;
mod scene;
mod source_words;
mod stack;
mod thrown;
mod trace;
mod uninitialised;
mod unrecorded;
mod unseen_writes;
mod valid_between;
mod why;
mod writers;

pub use call_words::BuiltInCall;
pub use calls::{Calls, FrameOutcome, Wait};
pub use coverage::{Coverage, Missing};
pub use evaluate::{Evaluation, Fault, Read, key_text};
pub use experiments::{Different, Experiment, Past, Spot, WayPast, experiment_at, experiments};
pub use glimpse::{Glimpse, Lasting};
pub use history::{history, newest_changes, next_change};
pub use last_change::{Change, LastChange, last_change};
pub use last_condition::{LastCondition, Reading, last_condition, last_condition_of_throw};
pub use messages::{Arrival, Passed};
pub use model::datum;
pub use moving::{Direction, Stride};
pub use objects::{Contents, Property, Slot, Total};
pub use path_to_crash::{CrashPath, CrashPathRequest, Interest, crash_path, crash_stack};
pub use place::Place;
pub use points::{LineHit, Loaded, PointError};
pub use printed::Printed;
pub use scene::{Scene, VariableState};
pub use stack::StackFrame;
pub use thrown::Thrown;
pub use trace::{Code, Trace};
pub use trace_model::{Datum, Made, Prototype, ends_with_path, same};
pub use why::{
    Because, Candidate, ChangedLines, Difference, Discrepancy, End, Evidence, Explanation, FEATURES, Failure,
    FailureKind, Hop, HopKind, Lacks, Limits, OtherTime, Profile, Reason, Rounds, SiteKeys, SourceAt, Standing,
    StandsOut, Terminator, candidates, failures, why, why_against, why_held, why_printed, why_sent, why_since,
    why_written,
};
