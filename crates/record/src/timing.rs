//! Notes when the threads of the program wrote what: about each millisecond a thread here looks how far each ring was filled, and writes
//! that beside the trace (`4711-0.times`). The program has no part in it: it reads no clock, and its events are the same in each run.
//!
//! What lies between two such moments was written between them, so a turn of the event loop that comes after a pause has the time at which the
//! pause ended.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use memmap2::{Mmap, MmapOptions};
use trace_format::{Ring, TimeMark, TimesWriter, WordPosition};

pub struct Timing {
    finish: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Timing {
    pub fn start(run: PathBuf) -> Timing {
        let finish = Arc::new(AtomicBool::new(false));
        let asked = finish.clone();
        Timing { finish, thread: std::thread::spawn(move || Watched::new(run).watch_until(&asked)) }
    }

    /// The program has ended.
    pub fn finish(self) {
        self.finish.store(true, Ordering::Release);
        // Without the times a run is whole but for them.
        let _ = self.thread.join();
    }
}

const TICK: Duration = Duration::from_millis(1);
/// While no thread writes anything.
const QUIET_TICK: Duration = Duration::from_millis(2);
/// So often nothing was written one after the other.
const QUIET: u32 = 20;
/// How often the folder is looked into for rings, unless it has just changed.
const BETWEEN_SCANS: Duration = Duration::from_millis(50);
/// What a live session may be behind by.
const BETWEEN_FLUSHES: Duration = Duration::from_millis(200);
/// A pause is noted if it is longer.
const PAUSE: u64 = 1500;

struct Watched {
    run: PathBuf,
    /// Microseconds since 1970, and when that was read: a clock that is set meanwhile does not matter.
    start: (u64, Instant),
    threads: Vec<WatchedThread>,
    /// Rings that were opened.
    seen: HashSet<PathBuf>,
    /// When the folder was changed last, as it was seen last.
    changed: Option<SystemTime>,
    scanned: Instant,
    flushed: Instant,
}

struct WatchedThread {
    /// Holds the memory that `ring` looks at.
    _map: Mmap,
    ring: Ring<'static>,
    times: TimesWriter,
    /// The newest place, and when it was seen first and last.
    at: WordPosition,
    noted: u64,
    last_seen: u64,
}

impl Watched {
    fn new(run: PathBuf) -> Watched {
        let since_1970 = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_micros() as u64);
        let now = Instant::now();
        Watched {
            run,
            start: (since_1970, now),
            threads: Vec::new(),
            seen: HashSet::new(),
            changed: None,
            scanned: now,
            flushed: now,
        }
    }

    fn watch_until(mut self, finish: &AtomicBool) {
        let mut n_quiet = 0;
        loop {
            let is_last = finish.load(Ordering::Acquire);
            self.open_new_rings();
            let micros = self.micros();
            let mut has_moved = false;
            // What a thread wrote before it said that it ended is all it will write.
            self.threads.retain_mut(|thread| {
                let has_ended = thread.ring.ended();
                has_moved |= thread.look(micros);
                if has_ended {
                    // What cannot be written is missing; nothing else is.
                    let _ = thread.times.flush();
                }
                !has_ended
            });
            if is_last || self.flushed.elapsed() > BETWEEN_FLUSHES {
                self.threads.retain_mut(|thread| thread.times.flush().is_ok());
                self.flushed = Instant::now();
            }
            if is_last {
                return;
            }
            n_quiet = if has_moved { 0 } else { n_quiet + 1 };
            std::thread::sleep(if n_quiet > QUIET { QUIET_TICK } else { TICK });
        }
    }

    fn micros(&self) -> u64 {
        self.start.0 + self.start.1.elapsed().as_micros() as u64
    }

    fn open_new_rings(&mut self) {
        let changed = fs::metadata(&self.run).and_then(|folder| folder.modified()).ok();
        // The time of a change is coarse: another one may have the same.
        let is_recent = |at: &SystemTime| at.elapsed().is_ok_and(|since| since < 2 * BETWEEN_SCANS);
        let may_be_new = changed != self.changed || changed.as_ref().is_some_and(is_recent);
        if !may_be_new && self.scanned.elapsed() < BETWEEN_SCANS {
            return;
        }
        (self.changed, self.scanned) = (changed, Instant::now());
        for entry in fs::read_dir(&self.run).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "ring") && self.seen.insert(path.clone()) {
                self.threads.extend(WatchedThread::open(&path));
            }
        }
    }
}

impl WatchedThread {
    fn open(path: &Path) -> Option<WatchedThread> {
        let file = File::open(path).ok()?;
        // SAFETY: the ring is only read, through atomics; the file is never made shorter.
        let map = unsafe { MmapOptions::new().map(&file) }.ok()?;
        // SAFETY: the mapping lives as long as the ring, beside it, and nobody else refers to it.
        let ring = unsafe { Ring::from_raw(map.as_ptr(), map.len(), &path.to_string_lossy()) }.ok()?;
        let start = ring.info().start;
        let times = TimesWriter::create(&path.with_extension("times"), start).ok()?;
        let at = WordPosition::default();
        Some(WatchedThread { _map: map, ring, times, at, noted: start, last_seen: start })
    }

    /// Whether it has written something.
    fn look(&mut self, micros: u64) -> bool {
        let Some(at) = self.ring.position(self.at) else { return false };
        if at <= self.at {
            self.last_seen = micros;
            return false;
        }
        if self.last_seen > self.noted + PAUSE {
            self.times.add(TimeMark { at: self.at, micros: self.last_seen });
        }
        self.times.add(TimeMark { at, micros });
        (self.at, self.noted, self.last_seen) = (at, micros, micros);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use trace_format::{RingInfo, RingLayout, read_times};

    use super::*;

    #[test]
    fn what_is_written_after_a_pause_has_the_time_of_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let layout = RingLayout { chunk_words: 100_000, n_chunks: 2 };
        let path = folder.path().join("7-0.ring");
        let mut bytes = vec![0; layout.file_bytes()];
        let start = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros() as u64;
        RingInfo { pid: 7, thread: 0, layout, start }.write(&mut bytes[..RingLayout::HEADER_BYTES], 1);
        fs::write(&path, &bytes).unwrap();
        let file = fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let map = MmapOptions::new().map_raw(&file).unwrap();
        // SAFETY: the mapping outlives the ring, and is used through atomics.
        let ring = unsafe { Ring::from_raw(map.as_ptr(), map.len(), "7-0.ring") }.unwrap();
        ring.begin_chunk(0, 0);
        let put = |from: usize, to: usize| {
            for word in from..to {
                // SAFETY: the word is within the mapping.
                let word = unsafe { &*map.as_ptr().add(layout.chunk_start(0) + 4 * word).cast::<AtomicU32>() };
                word.store(1, Ordering::Release);
            }
        };
        let timing = Timing::start(folder.path().to_owned());
        put(0, 10);
        std::thread::sleep(Duration::from_millis(60));
        put(10, 20);
        let written = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros() as u64;
        std::thread::sleep(Duration::from_millis(20));
        timing.finish();
        let (began, marks) = read_times(&fs::read(path.with_extension("times")).unwrap(), "7-0.times").unwrap();
        assert_eq!(began, start);
        let behind = marks.iter().position(|mark| mark.at.word > 10).unwrap();
        // The pause ends not long before what came after it, however busy the machine is.
        assert!(marks[behind - 1].at.word <= 10 && marks[behind - 1].micros > start + 10_000, "{marks:?}");
        assert!(marks[behind].micros + 1000 >= written, "{marks:?}");
    }
}
