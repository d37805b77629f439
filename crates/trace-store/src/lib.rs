//! Reading runs. A run is opened as it lies there: while it is recorded, after `kill -9`, after a full disk. What can be read
//! is handed out; what cannot is said, in notes.
//!
//! Users see a [`Run`], its [`Thread`]s and their events; where the words of an event came from (a segment of a trace file, event
//! memory that nobody drained) they do not see. A question ([`Target`]) goes to the index first, which leaves out the blocks that
//! cannot hold an answer; the others are unpacked and decided event by event. `indexer.rs` makes the index: after the program ended
//! (`writing.rs`), or while it runs if old events are dropped ([`TraceFiller`]); it begins with what was found of each block alone when it was
//! packed ([`BlockOutliner`]). Where it is missing or damaged, a question makes what it needs
//! of it (`build.rs`, `blocks.rs`). A layer that computes events which were not stored belongs behind the same questions.

mod block;
mod blocks;
mod brief;
mod build;
mod call_stack;
mod changed;
mod chunks;
mod code;
mod error;
mod events;
mod fact;
mod filling;
mod frames;
mod indexer;
mod key;
mod literal;
mod newest;
mod outline;
mod overview;
mod relative;
mod replay;
mod run;
mod runs;
mod scan;
mod site_counts;
mod steps;
mod target;
mod thread;
mod times;
mod walk;
mod writing;

pub use brief::{Briefs, SiteBrief, briefs_of};
pub use call_stack::CallStack;
pub use code::{CodeFile, CodeUnit, ProcessCode, SiteRef, SourceLocation};
pub use error::StoreError;
pub use event_encoding::{EventView, RecordView, TailView, ValueView, ValuesView};
pub use events::Events;
pub use filling::TraceFiller;
pub use frames::FrameInfo;
pub use key::KeyHash;
pub use newest::NewestBlocks;
pub use overview::{FunctionOf, Stretch};
pub use relative::{BlockOutliner, OutlineSites};
pub use run::{PROBLEMS_FILE, Run, problems};
pub use runs::Runs;
pub use scan::ScannedBlock;
pub use site_counts::SiteCounts;
pub use steps::Step;
pub use target::{Target, VariablePlace};
pub use thread::Thread;
pub use trace_format::OpenFrame;
/// How a command ended.
pub use trace_format::ProgramExit;
pub use trace_format::RunFile;
pub use trace_format::{TestError, TestOutcome, TestRecord, TimeLimit};
pub use trace_model::PropertyKey;
pub use walk::{Walked, WalkedEvent};
