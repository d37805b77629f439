//! Questions about an opened run, in the words of the person and answered in them. What the engine works with (steps, sites,
//! places) ends here.

mod again;
mod answering;
mod armed;
mod birth;
mod breakpoints;
mod call_events;
mod calls;
mod changes;
mod condition;
mod eval;
mod explained;
mod expression;
mod files;
mod find;
mod handle;
mod history;
mod in_time;
mod kept_contents;
mod lacking;
mod last_change;
mod last_condition;
mod line_counts;
mod log;
mod mistyped;
mod moving;
mod omissions;
mod path_to_crash;
mod point;
mod point_register;
mod point_text;
mod program;
mod resolve;
mod rounds;
mod scopes;
mod search;
mod sender;
mod session;
mod shown;
mod stack;
mod state;
mod summary;
mod tasks;
mod tests;
mod why;

pub use birth::{BirthAnswer, BirthKind};
pub use breakpoints::{BreakAt, Breakpoint, ChangedPlace, HitCount, HitShown, StopAnswer, StopRequest};
pub use calls::{CallOutcome, CallShown, CallsRequest};
pub use find::{FindRequest, FoundEvent};
pub use handle::Handle;
pub use history::{HistoryAnswer, HistoryChange};
pub use last_change::{ChangeAnswer, ChangeKind, SourceLine};
pub use last_condition::{ConditionAnswer, ConditionKind, ReadValue};
pub use log::{CallerShown, LogAnswer, LogRequest, LoggedHit};
pub use moving::{
    MoveAnswer, OverviewAnswer, OverviewRequest, PartShown, SeekRequest, SourceShown, SourceText, StepRequest,
    StepStride, ThreadShown,
};
pub use omissions::{OmissionCertainty, OmissionReason, OmissionShown, OmissionsAnswer, OmissionsRequest};
pub use path_to_crash::{CrashPathAnswer, CrashPathRequest, LinesOfFile, MOST_LABELS, PathCallee, PathLabel, PathStep};
pub use point::{Excerpt, Point};
pub(crate) use point_register::{PointRegister, checked_points};
pub use point_text::PointText;
pub(crate) use resolve::{failures_of, started};
pub use rounds::{ChainRounds, RoundShown};
pub use scopes::{Child, ScopeKind, ScopeShown};
pub use search::{SearchAnswer, SearchHit, SearchKind, SearchRequest};
pub(crate) use session::Moment;
pub use session::Session;
pub use stack::{FrameAt, StackAnswer};
pub use state::{AsyncParent, FrameShown, NameScope, Named, StateAnswer, StateRequest};
pub use tasks::{TaskShown, TaskStart};
pub use tests::TestShown;
pub use why::{
    Chain, ChainEnd, ChainHop, ChainPart, ChainReason, FailureShown, MoreFailures, NumberedFailure, WhyRequest,
};
