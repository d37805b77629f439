//! Reading runs. A run is opened as it lies there: while it is recorded, after `kill -9`, after a full disk. What can be read
//! is handed out; what cannot is said, in notes.
//!
//! Users see a [`Run`], its [`Thread`]s and their [`Events`]; where the words of an event came from (a segment of a trace
//! file, event memory that nobody drained) they do not see. Indexes, and a layer that computes events which were not stored,
//! belong behind the same iterator.

mod call_stack;
mod chunks;
mod code;
mod error;
mod events;
mod literal;
mod run;
mod runs;
mod thread;

pub use call_stack::{CallStack, Frame};
pub use code::{CodeFile, CodeUnit, Place, ProcessCode, SiteRef};
pub use error::StoreError;
pub use events::Events;
pub use run::Run;
pub use runs::Runs;
pub use thread::Thread;
