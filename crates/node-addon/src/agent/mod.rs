//! What the agent in production needs: recording without a parent, and the report of a crash.
//!
//! Nothing leaves the host but what [`report`] names: keys of functions, kinds of sites, positions, names of files inside the program
//! and of classes in its source. Values, texts and paths never come into it.

mod path;
mod policy;
mod report;
mod sender;
mod settings;
mod stack;

use std::time::Instant;

pub use policy::{is_spent, spend, start};
pub use settings::AgentSettings;
pub use stack::Stack;

/// What JavaScript knows of the crash.
pub struct Crash<'a> {
    /// The beginning of the text of its class, and of those that this extends.
    pub classes: &'a str,
    pub stack: Stack<'a>,
    /// Only if the operator wants it to be sent.
    pub message: Option<&'a str>,
}

/// Reports a crash, within the time that the settings allow. What is not known by then is left out.
pub fn crash(settings: &AgentSettings, crash: &Crash) {
    let deadline = Instant::now() + settings.time();
    let root = settings.root();
    let stack = stack::resolve(&crash.stack, &root, deadline);
    if stack.is_empty() {
        return;
    }
    let recorded = path::of_this_thread(&root, deadline);
    let report = report::report(settings, crash, &stack, recorded.as_ref());
    sender::send(settings, &report);
}
