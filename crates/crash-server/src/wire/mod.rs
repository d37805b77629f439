//! What goes over the wire: reports, policies, bugs. The only types with serde; `openapi.rs` makes the document of them.
//!
//! Nothing is taken that is not named here: an unknown field is an error, so a value that an agent should not have sent is never
//! stored. Every rule is part of the type, so the schema and the check cannot differ.

mod bug;
mod convert;
mod label;
mod map;
mod number;
mod object;
mod policy;
mod report;
mod text;

pub use bug::{
    BUGS_OF_A_PAGE, BugDetail, BugList, BugQuery, BugState, BugSummary, MOST_BUGS, NewState, Overhead, PathStep,
    Source, State,
};
pub use convert::hex;
pub use label::{Callee, Foreign, Function, Kind, Label, Site};
pub use map::SourceMap;
pub use policy::{Policy, PolicyFile, PolicyQuery};
pub use report::{Report, Spent, Taken, Verdict, Version};
pub use text::{
    BugCursor, BugId, ExceptionName, FileName, FunctionHex, Message, NodeVersion, PolicyId, Release, ReportId, Search,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A report is at most so large.
pub const MAX_REPORT_BYTES: usize = 256 * 1024;
/// So many labels a report has at most, and so many an agent is asked for.
pub const MAX_LABELS: usize = 4096;
/// Users are told apart by a number below this.
pub const COHORTS: u16 = 1000;

/// The body of everything that was refused.
#[derive(Clone, Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
pub struct Refusal {
    /// Stable, for programs.
    pub error: String,
    /// A sentence, for people.
    pub message: String,
}
