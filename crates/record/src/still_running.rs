//! Test runners that do not end: those that watch files, and those whose tests left a timer or a server behind. Many runners say when a round of tests begins
//! and when it is over; the tests of others are over when some were told of and nothing has happened for a while.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use trace_format::TestRecord;

use crate::processes::{Tree, lives, time_used};
use crate::spec::OnTestsOver;

const POLLING: Duration = Duration::from_millis(250);
/// For so long no test was told of, and the processes did next to nothing.
const QUIET: Duration = Duration::from_millis(2500);
/// As well, in a round that is not said to be over.
const LONG_QUIET: Duration = Duration::from_secs(60);
/// As well, behind the end of a round: a runner that ends by itself has ended by then.
const SETTLED: Duration = Duration::from_millis(1000);
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
        let rounds = fs::read_to_string(run.join(ROUNDS_FILE)).unwrap_or_default();
        let needed = match Round::of(&rounds, lives) {
            // A test may wait long; and not every runner says the end of a round in each of its ways to end.
            Some(Round::GoesOn) => LONG_QUIET,
            Some(Round::IsOver) => SETTLED,
            None => QUIET,
        };
        let used = program.living().into_iter().map(time_used).sum();
        let now = Seen { at: Instant::now(), n_bytes, used };
        match &quiet {
            Some(before) if before.is_quiet_until(&now) => {
                if now.at.duration_since(before.at) >= needed {
                    (told.0)(run);
                    return;
                }
            }
            _ => quiet = Some(now),
        }
    }
}

/// A line for each beginning and end of a round of tests, with the number of the runner's process: `77 begin`. The adapters of runners in
/// `packages/runtime/load/runners` write it.
const ROUNDS_FILE: &str = "rounds.txt";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Round {
    GoesOn,
    IsOver,
}

impl Round {
    /// Of the runners that live, if any of them tells.
    fn of(text: &str, lives: impl Fn(u32) -> bool) -> Option<Round> {
        let mut rounds: HashMap<u32, Round> = HashMap::new();
        // The last line may be torn.
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let Some((pid, word)) = line.split_once(' ') else { continue };
            let Ok(pid) = pid.parse() else { continue };
            rounds.insert(pid, if word == "end" { Round::IsOver } else { Round::GoesOn });
        }
        let mut living = rounds.into_iter().filter(|(pid, _)| lives(*pid)).map(|(_, round)| round);
        let first = living.next()?;
        Some(if first == Round::GoesOn || living.any(|round| round == Round::GoesOn) {
            Round::GoesOn
        } else {
            Round::IsOver
        })
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

#[cfg(test)]
mod tests {
    use super::Round;

    #[test]
    fn a_round_is_over_when_every_runner_that_lives_says_so() {
        let of = |text| Round::of(text, |pid| pid < 100);
        assert_eq!(of(""), None);
        assert_eq!(of("7 begin\n"), Some(Round::GoesOn));
        assert_eq!(of("7 begin\n7 end\n"), Some(Round::IsOver));
        assert_eq!(of("7 begin\n7 end\n7 begin\n"), Some(Round::GoesOn));
        assert_eq!(of("7 begin\n8 begin\n7 end\n"), Some(Round::GoesOn));
        assert_eq!(of("7 begin\n8 begin\n8 end\n7 end\n7 beg"), Some(Round::IsOver));
        assert_eq!(of("700 begin\n"), None);
        assert_eq!(of("700 begin\n7 begin\n7 end\n"), Some(Round::IsOver));
    }
}
