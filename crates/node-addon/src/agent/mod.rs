//! What the agent in production needs: recording without a parent, and handing over what is known of a crash.
//!
//! Who makes a report of it is a process of its own (`crash-report`): the engine is not in this library, and no source is parsed here for
//! the sake of a crash. The program only copies.

mod dump;
mod policy;
mod sender;
mod settings;

pub use policy::{is_spent, spend, start};
pub use settings::AgentSettings;

/// What JavaScript knows of the crash.
pub struct Crash {
    /// The beginning of the text of its class, and of those that this extends.
    pub classes: String,
    pub stack: String,
    /// Whether the stack is what `error.stack` holds; else it is file, line and column in turn, each ended by a zero.
    pub is_formatted: bool,
    /// Only if the operator wants it to be sent.
    pub message: Option<String>,
}

/// Hands a crash over.
pub fn crash(settings: &AgentSettings, crash: Crash) {
    sender::send(settings, &dump::of(settings, crash).to_bytes());
}
