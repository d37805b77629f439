//! Empties the rings of all recorded threads into their trace files while they run. This thread only looks after the rings;
//! others compress what is in them (`packing.rs`).

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memmap2::{MmapOptions, MmapRaw};
use trace_format::{ChunkStatus, FormatError, Ring, RingInfo, TraceInfo};
use trace_store::TraceFiller;

use crate::packed_sites::PackedSites;
use crate::packing::{Job, Packers, TraceFile};
use crate::processes;
use crate::reporting::Reporter;
use crate::sites::ProcessSites;
use crate::{OnProgress, Progress};

pub struct Drain {
    finish: Arc<AtomicBool>,
    thread: JoinHandle<Drained>,
}

#[derive(Default)]
pub struct Drained {
    /// `None` if something could not be counted, or threads still run.
    pub n_events: Option<u64>,
    pub problems: Vec<String>,
    /// What went wrong beside the recording.
    pub note: Option<String>,
}

impl Drain {
    pub fn start(run: PathBuf, keep_last: Option<u64>, progress: Option<OnProgress>) -> Drain {
        let finish = Arc::new(AtomicBool::new(false));
        let asked = finish.clone();
        let drain = move || Rings::new(run, keep_last).drain_until(&asked, Reporter::new(progress));
        Drain { finish, thread: std::thread::spawn(drain) }
    }

    /// The child has ended: takes what is left. Processes that it left behind keep their rings, which can be read as they
    /// are.
    pub fn finish(self) -> Drained {
        self.finish.store(true, Ordering::Release);
        self.thread.join().unwrap_or_else(|_| Drained {
            problems: vec!["the recorder itself failed; the recording may be incomplete".into()],
            ..Drained::default()
        })
    }
}

/// How long threads of processes that the program left behind are waited for.
const PATIENCE: Duration = Duration::from_secs(1);
const BUSY: Duration = Duration::from_millis(5);
const IDLE: Duration = Duration::from_millis(50);

struct Rings {
    run: PathBuf,
    keep_last: Option<u64>,
    open: Vec<OpenRing>,
    /// Rings that could not be drained, on a full disk: they stay as they are, with what is in them.
    left: Vec<PathBuf>,
    processes: HashMap<u32, ProcessCode>,
    packers: Packers,
    n_events: Option<u64>,
    /// What the threads that have ended left.
    ended: Progress,
    problems: Vec<String>,
}

/// What is known of the code of a process.
struct ProcessCode {
    packed: Arc<PackedSites>,
    sites: ProcessSites,
}

struct OpenRing {
    path: PathBuf,
    /// Holds the memory that `ring` looks at.
    map: Arc<MmapRaw>,
    ring: Ring<'static>,
    trace: Trace,
    /// The sequence number of the next chunk.
    next: u64,
}

/// Where the chunks go.
enum Trace {
    /// There was none yet.
    None { keep_last: Option<u64> },
    /// All are kept: others write them.
    Whole(Arc<TraceFile>),
    /// The newest are kept.
    Newest(Box<Newest>),
}

/// Events are followed as they come, since what is dropped is needed to tell where the rest begins.
struct Newest {
    filler: TraceFiller,
    /// The chunk being drained.
    words: Vec<u32>,
    bytes: u64,
    /// At which size old segments go.
    limit: u64,
}

#[derive(PartialEq)]
enum Moved {
    Nothing,
    Something,
    Over,
    Failed,
}

impl Rings {
    fn new(run: PathBuf, keep_last: Option<u64>) -> Rings {
        Rings {
            run,
            keep_last,
            open: Vec::new(),
            left: Vec::new(),
            processes: HashMap::new(),
            packers: Packers::start(),
            n_events: Some(0),
            ended: Progress::default(),
            problems: Vec::new(),
        }
    }

    fn drain_until(mut self, finish: &AtomicBool, mut reporter: Reporter) -> Drained {
        let mut pause = BUSY;
        let mut finishing_since = None;
        loop {
            let finishing = finish.load(Ordering::Acquire);
            self.open_new_rings();
            let moved = self.drain_all();
            reporter.report(|| self.progress());
            if finishing {
                let since = *finishing_since.get_or_insert_with(Instant::now);
                if self.open.is_empty() || since.elapsed() > PATIENCE {
                    break;
                }
            }
            if moved {
                pause = BUSY;
                continue;
            }
            let woken = Instant::now() + pause;
            pause = if finishing { BUSY } else { (pause * 2).min(IDLE) };
            // The child's end is not slept over.
            while Instant::now() < woken && (finishing || !finish.load(Ordering::Acquire)) {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let note = reporter.finish(self.progress());
        for ring in &self.open {
            let info = ring.ring.info();
            self.problems.push(format!("process {} is still running and is recorded on its own", info.pid));
            self.n_events = None;
        }
        Drained { n_events: self.n_events, problems: self.problems, note }
    }

    fn progress(&self) -> Progress {
        self.open.iter().fold(self.ended, |sum, ring| sum + ring.trace.progress())
    }

    fn open_new_rings(&mut self) {
        for entry in fs::read_dir(&self.run).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "ring")
                || self.open.iter().any(|ring| ring.path == path)
                || self.left.contains(&path)
            {
                continue;
            }
            match OpenRing::open(&path, self.keep_last) {
                Ok(ring) => self.open.push(ring),
                Err(error) => {
                    let _ = fs::rename(&path, path.with_extension("damaged"));
                    self.problems.push(format!("{} cannot be read: {error}", path.display()));
                }
            }
        }
    }

    fn drain_all(&mut self) -> bool {
        let mut moved = false;
        let mut at = 0;
        while at < self.open.len() {
            let ring = &mut self.open[at];
            let pid = ring.ring.info().pid;
            let code = self.processes.entry(pid).or_insert_with(|| ProcessCode {
                packed: PackedSites::new(self.run.clone(), pid),
                sites: ProcessSites::new(self.run.clone(), pid),
            });
            let drained = ring.drain(code, &self.packers).unwrap_or_else(|error| {
                ring.ring.set_stopped();
                let info = ring.ring.info();
                self.problems
                    .push(format!("recording of process {} thread {} stopped: {error}", info.pid, info.thread));
                Moved::Failed
            });
            moved |= drained != Moved::Nothing;
            if drained == Moved::Failed {
                let ring = self.open.swap_remove(at);
                self.ended = self.ended + ring.trace.progress();
                self.left.push(ring.path);
                self.n_events = None;
            } else if drained == Moved::Over {
                let ring = self.open.swap_remove(at);
                self.ended = self.ended + ring.trace.progress();
                self.n_events = self.n_events.zip(ring.trace.n_events()).map(|(all, more)| all + more);
                let _ = fs::remove_file(&ring.path);
            } else {
                at += 1;
            }
        }
        moved
    }
}

impl OpenRing {
    fn open(path: &Path, keep_last: Option<u64>) -> io::Result<OpenRing> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let map = MmapOptions::new().map_raw(&file)?;
        // SAFETY: the mapping lives as long as the ring, beside it; both sides use it through atomics only.
        let ring = unsafe { Ring::from_raw(map.as_ptr(), map.len(), &path.to_string_lossy()) };
        let ring = ring.map_err(io::Error::other)?;
        let trace = Trace::None { keep_last };
        Ok(OpenRing { path: path.to_owned(), map: Arc::new(map), ring, trace, next: 0 })
    }

    fn drain(&mut self, code: &mut ProcessCode, packers: &Packers) -> Result<Moved, FormatError> {
        // Asked before the chunks are looked at: after it, nothing is added.
        let over = self.ring.ended() || !processes::lives(self.ring.info().pid);
        let mut progress = Moved::Nothing;
        for chunk in self.ring.chunks_in_order() {
            let sequence = self.ring.sequence(chunk);
            if sequence >= self.next && (self.ring.status(chunk) == ChunkStatus::Full || over) {
                self.append(chunk, code, packers)?;
                self.next = sequence + 1;
                progress = Moved::Something;
            }
        }
        match &mut self.trace {
            Trace::Whole(trace) => match trace.take_failure() {
                Some(error) => return Err(error),
                None if !trace.is_settled() => return Ok(progress),
                None => {}
            },
            Trace::Newest(newest) if over => newest.drop_to(newest.bytes, &mut code.sites)?,
            Trace::Newest(newest) if newest.filler.size() > newest.limit => {
                newest.drop_to(newest.bytes, &mut code.sites)?;
                // The strings that stay may be more than what is to be kept.
                newest.limit = newest.filler.size() + newest.bytes / 2;
            }
            Trace::None { .. } | Trace::Newest(_) => {}
        }
        Ok(if over { Moved::Over } else { progress })
    }

    fn append(&mut self, chunk: u32, code: &mut ProcessCode, packers: &Packers) -> Result<(), FormatError> {
        if let Trace::None { keep_last } = self.trace {
            let RingInfo { pid, thread, start, .. } = self.ring.info();
            let (path, info) = (self.path.with_extension("trace"), TraceInfo { pid, thread, start });
            self.trace = match keep_last {
                None => Trace::Whole(TraceFile::create(&path, info)?),
                Some(bytes) => Trace::Newest(Box::new(Newest {
                    filler: TraceFiller::create(&path, info)?,
                    words: Vec::new(),
                    bytes,
                    limit: bytes.saturating_add(bytes / 2),
                })),
            };
        }
        match &mut self.trace {
            Trace::None { .. } => {}
            Trace::Whole(trace) => packers.pack(Job {
                _map: self.map.clone(),
                ring: self.ring,
                chunk,
                sites: code.packed.clone(),
                trace: trace.clone(),
            }),
            Trace::Newest(newest) => newest.append(&self.ring, chunk, &mut code.sites)?,
        }
        Ok(())
    }
}

impl Trace {
    fn progress(&self) -> Progress {
        let n_bytes = match self {
            Trace::None { .. } => 0,
            Trace::Whole(trace) => trace.length(),
            Trace::Newest(newest) => newest.filler.size(),
        };
        Progress { n_events: self.n_events().unwrap_or(0), n_bytes }
    }

    /// `None` if they could not be counted.
    fn n_events(&self) -> Option<u64> {
        let counts = match self {
            Trace::None { .. } => return Some(0),
            Trace::Whole(trace) => trace.counts(),
            Trace::Newest(newest) => newest.filler.counts(),
        };
        counts.map(|counts| counts.events)
    }
}

impl Newest {
    fn append(&mut self, ring: &Ring, chunk: u32, sites: &mut ProcessSites) -> Result<(), FormatError> {
        let is_full = ring.status(chunk) == ChunkStatus::Full;
        ring.copy_written_into(chunk, &mut self.words);
        if !self.words.is_empty() {
            self.filler.append(ring.sequence(chunk) as u32, &self.words, sites)?;
        }
        if is_full {
            ring.free_chunk(chunk);
        }
        Ok(())
    }

    /// Lets the oldest go until the trace file and its index have so many bytes.
    fn drop_to(&mut self, bytes: u64, sites: &mut ProcessSites) -> Result<(), FormatError> {
        if self.filler.size() > bytes { self.filler.drop_oldest(bytes, sites) } else { Ok(()) }
    }
}
