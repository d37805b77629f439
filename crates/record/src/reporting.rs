//! Tells whoever waits how far the recording is, and not too often.

use std::ops::Add;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use crate::output::message_of;
use crate::{OnProgress, Progress};

pub struct Reporter {
    /// `None` once it failed, or if nobody wants to know.
    listener: Option<OnProgress>,
    last: Option<(Instant, Progress)>,
    problem: Option<String>,
}

const SELDOM: Duration = Duration::from_millis(100);

impl Reporter {
    pub fn new(listener: Option<OnProgress>) -> Reporter {
        Reporter { listener, last: None, problem: None }
    }

    /// Tells it if it is time and something is new.
    pub fn report(&mut self, progress: impl Fn() -> Progress) {
        let is_time = self.last.is_none_or(|(at, _)| at.elapsed() >= SELDOM);
        if self.listener.is_none() || !is_time {
            return;
        }
        let now = progress();
        if self.last.is_none_or(|(_, last)| last != now) {
            self.tell(now);
        }
    }

    /// The last word. Gives what went wrong.
    pub fn finish(mut self, progress: Progress) -> Option<String> {
        self.tell(progress);
        self.problem
    }

    fn tell(&mut self, progress: Progress) {
        let Some(OnProgress(listener)) = &self.listener else { return };
        self.last = Some((Instant::now(), progress));
        // What drains the program's event memory must go on.
        if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| listener(progress))) {
            self.problem =
                Some(format!("what follows the progress of the recording panicked ({})", message_of(&*panic)));
            self.listener = None;
        }
    }
}

impl Add for Progress {
    type Output = Progress;

    fn add(self, other: Progress) -> Progress {
        Progress { n_events: self.n_events + other.n_events, n_bytes: self.n_bytes + other.n_bytes }
    }
}
