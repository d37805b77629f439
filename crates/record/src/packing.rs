//! Compresses chunks of rings on a few threads, and writes those of each thread of the program to its trace file, in their order.
//!
//! A chunk stays in the ring until it is in the file: whoever is killed, one of the two has it. So the memory that this takes is
//! bounded by the rings: what is compressed and not yet written is one chunk for each thread here.

use std::collections::VecDeque;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use memmap2::MmapRaw;
use trace_format::{
    ChunkStatus, Counts, FormatError, PackedChunk, Packer, Ring, SEGMENT_WORDS, TraceInfo, TraceWriter, has_events,
};
use trace_store::BlockOutliner;

use crate::packed_sites::PackedSites;

/// Threads that pack. They end with this, once there is nothing left to do.
pub struct Packers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    jobs: Mutex<Jobs>,
    is_work: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    is_over: bool,
}

/// A chunk of a ring that nobody writes to any more.
pub struct Job {
    pub _map: Arc<MmapRaw>,
    /// Looks at that memory.
    pub ring: Ring<'static>,
    pub chunk: u32,
    pub sites: Arc<PackedSites>,
    pub trace: Arc<TraceFile>,
}

impl Packers {
    /// As many threads as there are cores that we may use: when they have more to do than the program leaves them, it waits
    /// for them, and so has a core to give.
    pub fn start() -> Packers {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let shared = Arc::new(Shared::default());
        let work = |shared: Arc<Shared>| move || shared.work();
        let threads = (0..n_threads).map(|_| std::thread::spawn(work(shared.clone()))).collect();
        Packers { shared, threads }
    }

    pub fn pack(&self, job: Job) {
        job.trace.lock().n_given += 1;
        lock(&self.shared.jobs).waiting.push_back(job);
        self.shared.is_work.notify_one();
    }
}

impl Drop for Packers {
    fn drop(&mut self) {
        lock(&self.shared.jobs).is_over = true;
        self.shared.is_work.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

const MOST_THREADS: usize = 4;

impl Shared {
    fn work(&self) {
        let Ok(mut packer) = Packer::new() else { return };
        let mut words = Vec::new();
        let mut outliner = BlockOutliner::default();
        while let Some((job, turn)) = self.next() {
            let is_full = job.ring.status(job.chunk) == ChunkStatus::Full;
            // Whatever happens, the turn must go on to the next.
            let tried = AssertUnwindSafe(|| pack(&job, is_full, &mut packer, &mut outliner, &mut words));
            let packed = panic::catch_unwind(tried).unwrap_or_else(|_| Err(failure("the recorder itself failed")));
            job.trace.append(turn, packed, || {
                if is_full {
                    job.ring.free_chunk(job.chunk);
                }
            });
        }
    }

    /// The oldest job, and the how manieth of its trace file it is: jobs are taken in their order, so all before it are
    /// done, or some thread is at them.
    fn next(&self) -> Option<(Job, u64)> {
        let mut jobs = lock(&self.jobs);
        loop {
            if let Some(job) = jobs.waiting.pop_front() {
                let mut state = job.trace.lock();
                let turn = state.n_taken;
                state.n_taken += 1;
                drop(state);
                return Some((job, turn));
            }
            if jobs.is_over {
                return None;
            }
            jobs = self.is_work.wait(jobs).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

fn pack(
    job: &Job,
    is_full: bool,
    packer: &mut Packer,
    outliner: &mut BlockOutliner,
    words: &mut Vec<u32>,
) -> Result<Option<PackedChunk>, FormatError> {
    if is_full {
        // SAFETY: it is full, and freed by who has this job, when it is done.
        unsafe { job.ring.take_full_chunk_into(job.chunk, words) };
    } else {
        job.ring.copy_written_into(job.chunk, words);
    }
    if !has_events(words) {
        return Ok(None);
    }
    let sequence = job.ring.sequence(job.chunk) as u32;
    let packed = packer.pack(sequence, words, SEGMENT_WORDS, &mut job.sites.reader(outliner));
    packed.map(Some).map_err(failure)
}

fn failure(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> FormatError {
    FormatError::Io { file: "a chunk".into(), error: io::Error::other(error) }
}

/// The trace file of a thread of the program.
pub struct TraceFile {
    state: Mutex<State>,
    turned: Condvar,
}

struct State {
    writer: TraceWriter,
    /// Jobs that were given to the packers, that one of them took, that are done.
    n_given: u64,
    n_taken: u64,
    n_done: u64,
    /// Once something could not be written, nothing more is: the rest stays in the ring.
    failure: Option<FormatError>,
}

impl TraceFile {
    pub fn create(path: &Path, info: TraceInfo) -> Result<Arc<TraceFile>, FormatError> {
        let writer = TraceWriter::create(path, info)?;
        let state = Mutex::new(State { writer, n_given: 0, n_taken: 0, n_done: 0, failure: None });
        Ok(Arc::new(TraceFile { state, turned: Condvar::new() }))
    }

    /// Whether all that was given is written.
    pub fn is_settled(&self) -> bool {
        let state = self.lock();
        state.n_done == state.n_given
    }

    /// What it holds; `None` if that could not be counted.
    pub fn counts(&self) -> Option<Counts> {
        self.lock().writer.counts()
    }

    /// In bytes.
    pub fn length(&self) -> u64 {
        self.lock().writer.length()
    }

    pub fn take_failure(&self) -> Option<FormatError> {
        let mut state = self.lock();
        // Others may still be waiting for their turn.
        if state.n_done < state.n_given {
            return None;
        }
        state.failure.take()
    }

    fn append(&self, turn: u64, packed: Result<Option<PackedChunk>, FormatError>, written: impl FnOnce()) {
        let mut state = self.lock();
        while state.n_done < turn {
            state = self.turned.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        if state.failure.is_none() {
            let appended = packed.and_then(|packed| packed.map_or(Ok(()), |chunk| state.writer.append_packed(&chunk)));
            match appended {
                Ok(()) => written(),
                Err(error) => state.failure = Some(error),
            }
        }
        state.n_done += 1;
        self.turned.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
