//! What an input may take. Inputs are of a few kilobytes at most, so more than this is taken for what they say, and not for what they are.

use std::hint::black_box;
use std::panic;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Target;

/// No input is longer.
pub const LONGEST_INPUT: usize = 16 << 10;

/// Of the whole process, in bytes: what is asked for beyond it is not given, and the process aborts.
const MEMORY: u64 = 1 << 30;

/// No input takes longer, on a machine that does other things as well.
pub const LONGEST_RUN: Duration = Duration::from_secs(10);

/// From now on this process gets no more memory than allowed, whether it touches it or not.
pub fn bound_memory() {
    let before = getrlimit(Resource::Data);
    setrlimit(Resource::Data, Rlimit { current: Some(MEMORY), maximum: before.maximum })
        .expect("a limit can be lowered");
}

/// From now on a panic ends this process, whichever thread it is in and whoever would have caught it.
pub fn abort_on_panic() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        told(info);
        process::abort();
    }));
}

/// Does what its input says, so that a test can see that it is found.
pub const TRIAL: Target = Target {
    name: "limits",
    run: |input| match input {
        b"panic" => panic!("on purpose"),
        b"caught" => drop(panic::catch_unwind(|| panic!("on purpose"))),
        b"memory" => drop(black_box(vec![0u8; 2 * MEMORY as usize])),
        _ => {}
    },
};

/// Ends the process where a run takes too long.
pub struct Watch {
    started: Instant,
    /// When the run under way began, in milliseconds since the start, and 1 more; 0: none is.
    since: &'static AtomicU64,
}

impl Watch {
    pub fn start() -> Watch {
        static SINCE: AtomicU64 = AtomicU64::new(0);
        let started = Instant::now();
        thread::spawn(move || {
            loop {
                thread::sleep(LONGEST_RUN / 20);
                let since = SINCE.load(Ordering::Relaxed);
                let now = started.elapsed().as_millis() as u64 + 1;
                if since != 0 && now.saturating_sub(since) > LONGEST_RUN.as_millis() as u64 {
                    eprintln!("an input takes longer than {} seconds", LONGEST_RUN.as_secs());
                    process::abort();
                }
            }
        });
        Watch { started, since: &SINCE }
    }

    pub fn during(&self, run: impl FnOnce()) {
        self.since.store(self.started.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
        run();
        self.since.store(0, Ordering::Relaxed);
    }
}
