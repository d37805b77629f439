//! Test runners that do not end: those that watch files, and those whose tests left a timer or a server behind. Their tests are over when some were told of
//! and nothing has happened for a while.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use trace_format::TestRecord;

use crate::processes::{Tree, time_used};
use crate::spec::OnTestsOver;

const POLLING: Duration = Duration::from_millis(250);
/// For so long no test was told of, and the processes did next to nothing.
const QUIET: Duration = Duration::from_millis(2500);
/// What a process may use of a core that only waits: timers of terminals and of connections.
const IDLE: f64 = 0.05;

/// Calls `told` once, as soon as the tests are over, if that is before the program is.
pub fn watch(run: &Path, mut program: Tree, told: &OnTestsOver, is_over: &Receiver<()>) {
    let tests = run.join(TestRecord::FILE);
    let mut quiet: Option<Seen> = None;
    while is_over.recv_timeout(POLLING) == Err(RecvTimeoutError::Timeout) {
        // Most commands have no tests for most of their time, and looking at processes is not free.
        let n_bytes = fs::metadata(&tests).map_or(0, |file| file.len());
        if n_bytes == 0 {
            continue;
        }
        let used = program.living().into_iter().map(time_used).sum();
        let now = Seen { at: Instant::now(), n_bytes, used };
        match &quiet {
            Some(before) if before.is_quiet_until(&now) => {
                if now.at.duration_since(before.at) >= QUIET {
                    (told.0)(run);
                    return;
                }
            }
            _ => quiet = Some(now),
        }
    }
}

struct Seen {
    at: Instant,
    n_bytes: u64,
    /// By all processes that live.
    used: Duration,
}

impl Seen {
    fn is_quiet_until(&self, now: &Seen) -> bool {
        // One that ended took its time with it.
        let used = now.used.checked_sub(self.used);
        // The clock of the system counts in hundredths of a second.
        let most = now.at.duration_since(self.at).mul_f64(IDLE) + Duration::from_millis(20);
        self.n_bytes == now.n_bytes && used.is_some_and(|used| used <= most)
    }
}
