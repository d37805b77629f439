//! Empties the rings of all recorded threads into their trace files while they run.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memmap2::{MmapOptions, MmapRaw};
use trace_format::{ChunkStatus, FormatError, Ring, TraceInfo};
use trace_store::TraceFiller;

use crate::processes;
use crate::sites::ProcessSites;

pub struct Drain {
    finish: Arc<AtomicBool>,
    thread: JoinHandle<Drained>,
}

#[derive(Default)]
pub struct Drained {
    /// `None` if something could not be counted, or threads still run.
    pub n_events: Option<u64>,
    pub problems: Vec<String>,
}

impl Drain {
    pub fn start(run: PathBuf, keep_last: Option<u64>) -> Drain {
        let finish = Arc::new(AtomicBool::new(false));
        let asked = finish.clone();
        Drain { finish, thread: std::thread::spawn(move || Rings::new(run, keep_last).drain_until(&asked)) }
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
    sites: HashMap<u32, ProcessSites>,
    n_events: Option<u64>,
    problems: Vec<String>,
}

struct OpenRing {
    path: PathBuf,
    /// Holds the memory that `ring` looks at.
    _map: MmapRaw,
    ring: Ring<'static>,
    trace: Option<TraceFiller>,
    /// The chunk being drained.
    words: Vec<u32>,
    /// Where the length of the trace file lets old segments go.
    limit: u64,
}

#[derive(PartialEq)]
enum Progress {
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
            sites: HashMap::new(),
            n_events: Some(0),
            problems: Vec::new(),
        }
    }

    fn drain_until(mut self, finish: &AtomicBool) -> Drained {
        let mut pause = BUSY;
        let mut finishing_since = None;
        loop {
            let finishing = finish.load(Ordering::Acquire);
            self.open_new_rings();
            let moved = self.drain_all();
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
        for ring in &self.open {
            let info = ring.ring.info();
            self.problems.push(format!("process {} still runs; what it does is recorded by itself", info.pid));
            self.n_events = None;
        }
        Drained { n_events: self.n_events, problems: self.problems }
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
            let sites = self.sites.entry(pid).or_insert_with(|| ProcessSites::new(self.run.clone(), pid));
            let progress = ring.drain(sites, self.keep_last).unwrap_or_else(|error| {
                ring.ring.set_stopped();
                let info = ring.ring.info();
                self.problems
                    .push(format!("recording of process {} thread {} stopped: {error}", info.pid, info.thread));
                Progress::Failed
            });
            moved |= progress != Progress::Nothing;
            if progress == Progress::Failed {
                self.left.push(self.open.swap_remove(at).path);
                self.n_events = None;
            } else if progress == Progress::Over {
                let ring = self.open.swap_remove(at);
                let counted = ring.trace.as_ref().map_or(Some(0), |trace| Some(trace.counts()?.events));
                self.n_events = self.n_events.zip(counted).map(|(all, more)| all + more);
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
        Ok(OpenRing {
            path: path.to_owned(),
            _map: map,
            ring,
            trace: None,
            words: Vec::new(),
            limit: keep_last.map_or(u64::MAX, |bytes| bytes.saturating_mul(2)),
        })
    }

    fn drain(&mut self, sites: &mut ProcessSites, keep_last: Option<u64>) -> Result<Progress, FormatError> {
        // Asked before the chunks are looked at: after it, nothing is added.
        let over = self.ring.ended() || !processes::lives(self.ring.info().pid);
        let mut progress = Progress::Nothing;
        for chunk in self.ring.chunks_in_order() {
            if self.ring.status(chunk) == ChunkStatus::Full || over {
                self.append(chunk, sites)?;
                if self.ring.status(chunk) == ChunkStatus::Full {
                    self.ring.free_chunk(chunk);
                }
                progress = Progress::Something;
            }
        }
        if let (Some(bytes), Some(trace)) = (keep_last, &mut self.trace)
            && trace.length() > self.limit
        {
            trace.drop_oldest(bytes, sites)?;
            // The strings that stay may be more than what is to be kept.
            self.limit = trace.length() + bytes;
        }
        Ok(if over { Progress::Over } else { progress })
    }

    fn append(&mut self, chunk: u32, sites: &mut ProcessSites) -> Result<(), FormatError> {
        let info = self.ring.info();
        let trace = match &mut self.trace {
            Some(trace) => trace,
            none => {
                let path = self.path.with_extension("trace");
                let trace_info = TraceInfo { pid: info.pid, thread: info.thread, start: info.start };
                none.insert(TraceFiller::create(&path, trace_info)?)
            }
        };
        let words = &mut self.words;
        self.ring.copy_chunk_into(chunk, words);
        if self.ring.status(chunk) != ChunkStatus::Full {
            let end = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
            // An event may end with zeros.
            words.truncate((end + MOST_ZEROS).min(words.len()));
        }
        if words.is_empty() {
            return Ok(());
        }
        trace.append(self.ring.sequence(chunk) as u32, words, sites)
    }
}

/// More zeros than any event ends with, but for a string of as many NUL characters.
const MOST_ZEROS: usize = 1024;
