//! What whoever asks can do while something long is done: cancel it, and be told how far it is.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;

/// Cancels what is done under it, from any thread and for good. A clone cancels the same.
#[derive(Clone, Default, Debug)]
pub struct Cancel(pub(crate) trace_model::cancel::Cancel);

impl Cancel {
    pub fn cancel(&self) {
        self.0.cancel();
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The longest that any question of this process waited for a lock that another held, since the last time that this was asked.
pub fn longest_wait() -> Duration {
    trace_model::waiting::longest_wait()
}

#[derive(Clone, Default)]
pub struct Control {
    pub cancel: Cancel,
    /// Nothing: nobody wants to know.
    pub progress: Option<Arc<dyn Fn(Progress) + Send + Sync>>,
}

/// How far it is.
#[derive(Clone, Debug)]
pub enum Progress {
    /// The events of the run are gone over, because its index is not there yet: so many blocks of so many.
    Indexing { done: usize, all: usize },
    /// The program is run for the question: for which time, and what is recorded.
    Running { number: usize, plan: Plan },
}

impl Control {
    pub fn with_progress(progress: impl Fn(Progress) + Send + Sync + 'static) -> Control {
        Control { cancel: Cancel::default(), progress: Some(Arc::new(progress)) }
    }

    pub(crate) fn tell(&self, progress: Progress) {
        if let Some(told) = &self.progress {
            told(progress);
        }
    }
}
