//! Outlines the larger trace files while they are written, on a thread that gives way to everything else: the first question need not
//! do it then. Nobody waits for it: when the program has ended it stops where it is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use trace_store::TraceFollower;

use crate::packing::TraceFile;
use crate::sites::ProcessSites;

pub struct Followers {
    new: Option<Sender<Followed>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A trace file to be followed.
pub struct Followed {
    pub path: PathBuf,
    /// Its first time, as its header says.
    pub start: u64,
    pub trace: Weak<TraceFile>,
    pub sites: ProcessSites,
}

impl Followers {
    pub fn start() -> Followers {
        let (new, coming) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        let thread = std::thread::spawn(move || {
            crate::give_way();
            follow_all(&coming, &asked);
        });
        Followers { new: Some(new), stop, thread: Some(thread) }
    }

    pub fn add(&self, followed: Followed) {
        if let Some(new) = &self.new {
            // If it is gone, the first question does it.
            let _ = new.send(followed);
        }
    }
}

impl Drop for Followers {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        drop(self.new.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Smaller trace files are outlined in no time by who opens them.
const LARGE: u64 = 1 << 20;
const PAUSE: Duration = Duration::from_millis(10);

fn follow_all(coming: &Receiver<Followed>, stop: &AtomicBool) {
    let mut all: Vec<(Followed, Option<TraceFollower>)> = Vec::new();
    while !stop.load(Ordering::Acquire) {
        all.extend(coming.try_iter().map(|followed| (followed, None)));
        let mut moved = false;
        all.retain_mut(|(followed, follower)| match follow(followed, follower, stop) {
            Some(has_moved) => {
                moved |= has_moved;
                true
            }
            None => false,
        });
        if !moved {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Whether there was something new; `None` once nothing more can come.
fn follow(followed: &mut Followed, follower: &mut Option<TraceFollower>, stop: &AtomicBool) -> Option<bool> {
    // Asked before its length: after it, nothing is added.
    let trace = followed.trace.upgrade()?;
    let length = trace.length();
    drop(trace);
    if follower.is_none() && length < LARGE {
        return Some(false);
    }
    let follower = match follower {
        Some(follower) => follower,
        None => follower.insert(TraceFollower::create(&followed.path, followed.start).ok()?),
    };
    let goes_on = || !stop.load(Ordering::Acquire);
    follower.follow(length, &mut followed.sites, &goes_on).ok()
}
