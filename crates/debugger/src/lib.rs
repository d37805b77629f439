//! The façade: runs, events, instrumented text, as plain data in the user's terms. Every front end stands on this and on
//! nothing lower.

mod ask;
mod control;
mod error;
mod event_line;
mod events;
mod experiment;
mod index_queue;
mod indexing;
mod instrumenting;
mod judge;
mod kept_chain;
mod languages;
mod live;
mod not_captured;
mod open_runs;
mod page;
mod policy_names;
mod question;
mod record_request;
mod recording;
mod report_folder;
mod rerun;
mod run_list;
mod runtime_files;
mod sharing;
mod texts;
mod tools;
mod unrecorded;
mod values;

pub(crate) use ask::Moment;
pub use ask::*;
pub use control::{Cancel, Control, Progress, longest_wait};
pub use error::{Error, LoadedFiles};
pub use event_line::EventLine;
pub use events::{EventFilter, events};
pub use experiment::{
    Announcement, Budget, ExperimentChange, ExperimentRequest, Experiments, FailureAfter, LineDifference, Proven,
    TryAnswer, TryRequest,
};
pub use index_queue::{IndexQueue, IndexWorker};
pub use indexing::{give_way, write_index};
pub use instrumenting::{CodeKind, InstrumentServer, Instrumented, PassedOver, SiteLine, instrument_file};
pub use judge::{
    ArgumentShown, Automatic, CallRef, CallStep, ChangeShown, ConflictShown, EndShown, FoundCall, InputPlacement,
    InputShown, Judge, JudgeAct, JudgeRequest, JudgeRoom, Judgement, Next, ObjectShown, QuestionShown, Strategy,
    TableShown, VariableShown, VerdictShown,
};
pub use kept_chain::KeptChain;
pub use languages::add_language;
pub use live::{Ended, Halted, LiveError, LiveValue, StopAt, evaluate_live, pause};
pub use not_captured::{NotCaptured, not_captured};
pub use open_runs::OpenRuns;
pub use page::{Cursor, Page, PageRequest};
pub use question::{Answer, Question, QuestionKind, Reply, Where};
pub use record_request::{
    Environment, Input, KeptInput, OnProgress, OnStarted, OnTestsOver, Output, Policy, RecordProgress, RecordRequest,
    RecordedCode, SignalsOf, Sink, Stream, policy,
};
pub use recording::{Ending, Recorded, end_like, record};
pub use report_folder::{ReportFolder, append_text, write_text};
pub use rerun::{
    Asked, FunctionsOfFile, GrownPath, GrowthEnd, GrowthStep, Hook, Plan, Rerun, Surroundings, Unanswered,
    needs_program,
};
pub use run_list::{RunChoice, RunOutcome, RunSummary, prune_runs, remove_runs, runs};
pub use runtime_files::{prelude, runtime_folder};
pub use sharing::{Exported, Kept, RedactRequest, Redacted, Redactor, export, import};
pub use texts::{did_you_mean, with_redactions_shown};
pub use unrecorded::{Unrecorded, run_unrecorded};
pub use values::{Elements, Value, ValueType};
