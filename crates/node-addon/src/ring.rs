//! The event memory of each thread, from the side of the program that fills it.
//!
//! JavaScript writes words; it comes here once per chunk. Nothing here may hang or harm the program: a full disk is found
//! out when the file is made (all its blocks are reserved then), and a parent that died is replaced by writing the chunks
//! to the trace file ourselves. In production there is neither file nor parent: the oldest chunk makes room for the next.
//!
//! Behind the chunks lies one more, the *spare*, which is memory of this process alone and no part of the file. Where events can go
//! nowhere any more, they go there, one over the other: nothing has to be asked of the system at that moment, and what was recorded
//! stays as it is.

use std::cell::RefCell;
use std::fs::{File, TryLockError};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, SystemTime};

use memmap2::{MmapOptions, MmapRaw};
use trace_format::{
    ChunkStatus, Counts, FormatError, Ring, RingInfo, RingLayout, RunSettings, TraceInfo, TraceWriter, private,
};
use trace_model::contract::{header, record};

use crate::agent;
use crate::code;
use crate::guard::{self, Failing};
use crate::settings::Settings;

/// Makes the ring of the calling thread. Its memory stays mapped until the process ends.
pub fn open(settings: &'static Settings, thread: u32) -> io::Result<OpenRing> {
    if guard::has_failed() {
        return Err(io::Error::other("the recorder failed before"));
    }
    let pid = std::process::id();
    let info = RingInfo {
        pid,
        thread: settings.folder.as_ref().map_or(thread, |folder| unused_thread(folder, pid, thread)),
        layout: settings.layout,
        start: SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_micros() as u64),
    };
    let made = match &settings.folder {
        Some(folder) => map_new_file(folder, &info, settings.parent),
        None => map_memory(&info, settings.parent),
    };
    let map: &'static MmapRaw = Box::leak(Box::new(made?));
    // SAFETY: the mapping is leaked, so it stays; it is only reached through the ring and by JavaScript.
    let ring = unsafe { Ring::from_raw(map.as_ptr(), info.layout.file_bytes(), "ring") }.map_err(io::Error::other)?;
    ring.begin_chunk(0, 0);
    let before = vec![Counts::default(); info.layout.n_chunks as usize];
    let memory = map.as_mut_ptr();
    let open = OpenRing { ring, info, memory, chunk: 0, sequence: 0, settings, before, own_writer: None };
    let words = open.clone_for_caller();
    RINGS.lock().unwrap_or_else(PoisonError::into_inner).push((open.words_ptr() as usize, open.spare() as usize * 4));
    RING.with_borrow_mut(|slot| *slot = Some(open));
    if thread == 0 {
        MAIN_RING.store(map.as_mut_ptr(), Ordering::Release);
        AT_EXIT.call_once(|| {
            // SAFETY: `end_of_process` is a plain function that stays loaded: Node never unloads addons of the main thread.
            unsafe { libc::atexit(end_of_process) };
        });
    }
    Ok(words)
}

/// The cursor (in words) is at the end of its chunk: gives the chunk away and waits for a free one. `so_far` is what the thread has
/// counted up to there.
pub fn advance(cursor: u32, so_far: Counts) -> u32 {
    if guard::has_failed() {
        return start_of_chunk();
    }
    RING.with_borrow_mut(|slot| slot.as_mut().map_or(0, |ring| ring.advance(cursor, so_far)))
}

/// What is left of the events of a thread.
pub struct Kept {
    pub info: RingInfo,
    /// What came before.
    pub before: Counts,
    /// Oldest first.
    pub chunks: Vec<Vec<u32>>,
}

/// What the ring of the calling thread holds. Only in production.
pub fn kept() -> Option<Kept> {
    RING.with_borrow(|slot| {
        let ring = slot.as_ref().filter(|ring| ring.settings.folder.is_none())?;
        let order = ring.ring.chunks_in_order();
        let before = ring.before[*order.first()? as usize];
        let chunks = order.into_iter().map(|chunk| ring.ring.copy_chunk(chunk)).collect();
        Some(Kept { info: ring.info, before, chunks })
    })
}

/// No JavaScript of this thread runs any more.
pub fn end_of_thread() {
    let _ = RING.try_with(|slot| {
        if let Some(ring) = slot.borrow_mut().take() {
            ring.ring.set_ended();
        }
    });
}

pub struct OpenRing {
    ring: Ring<'static>,
    info: RingInfo,
    memory: *mut u8,
    chunk: u32,
    sequence: u64,
    settings: &'static Settings,
    /// By chunk, what the thread had counted when it began it; known in production only.
    before: Vec<Counts>,
    /// Once the parent is gone.
    own_writer: Option<TraceWriter>,
}

impl OpenRing {
    pub fn words_ptr(&self) -> *mut u8 {
        // SAFETY: the header is a part of the mapping.
        unsafe { self.memory.add(RingLayout::HEADER_BYTES) }
    }

    /// With the spare.
    pub fn n_words(&self) -> usize {
        self.spare() as usize + self.info.layout.chunk_words as usize
    }

    /// Its first word.
    fn spare(&self) -> u32 {
        self.info.layout.chunk_words * self.info.layout.n_chunks
    }

    pub fn chunk_words(&self) -> u32 {
        self.info.layout.chunk_words
    }

    pub fn n_chunks(&self) -> u32 {
        self.info.layout.n_chunks
    }

    fn clone_for_caller(&self) -> OpenRing {
        OpenRing { own_writer: None, before: Vec::new(), ..*self }
    }

    fn advance(&mut self, cursor: u32, so_far: Counts) -> u32 {
        let start = self.chunk * self.info.layout.chunk_words;
        if start == self.spare() {
            return start;
        }
        if self.ring.stopped() {
            return self.stop(cursor);
        }
        self.ring.set_full(self.chunk, cursor.saturating_sub(start));
        let next = (self.chunk + 1) % self.info.layout.n_chunks;
        // How many events there were nobody has counted; their numbers need only rise, and there are no more than words.
        let events = (self.sequence + 1) * u64::from(self.info.layout.chunk_words);
        self.before[next as usize] = Counts { events, ..so_far };
        if self.settings.folder.is_none() {
            agent::spend(cursor.saturating_sub(start));
            self.ring.free_chunk(next);
        } else if !self.wait_until_free(next) {
            return self.stop(cursor);
        }
        self.chunk = next;
        self.sequence += 1;
        self.ring.begin_chunk(next, self.sequence);
        next * self.info.layout.chunk_words
    }

    /// Ends the last chunk with a gap. What the program does from now on is written to the spare, over nothing that was recorded.
    fn stop(&mut self, cursor: u32) -> u32 {
        let start = self.chunk * self.info.layout.chunk_words;
        // SAFETY: the chunk is a part of the mapping, and behind its last event there is room for another.
        unsafe { self.words_ptr().cast::<u32>().add(cursor as usize).write(GAP_AS_THE_DISK_WAS_FULL) };
        self.ring.set_full(self.chunk, cursor - start + 1);
        self.chunk = self.info.layout.n_chunks;
        self.spare()
    }

    /// False if recording stopped meanwhile.
    fn wait_until_free(&mut self, chunk: u32) -> bool {
        let mut n_waits = 0u32;
        while self.ring.status(chunk) != ChunkStatus::Free {
            if self.ring.stopped() {
                return false;
            }
            if n_waits % 16 == 15 && !self.is_drained() {
                return self.write_out_full_chunks();
            }
            n_waits += 1;
            // Each sleep costs the program some 20 µs of CPU. A long one costs no time: the parent has the other chunks to
            // empty meanwhile, each of which takes it longer.
            std::thread::sleep(Duration::from_micros(if n_waits < 4 { 100 } else { 4000 }));
        }
        true
    }

    /// Whether somebody empties the ring. The parent holds a lock as long as it does; its number may be that of another process by now.
    /// Only where locks cannot be asked, because the file cannot be opened any more or lies where there are none, the number tells.
    fn is_drained(&self) -> bool {
        let settings = self.settings.folder.as_deref().map(|folder| File::open(folder.join(RunSettings::NAME)));
        match settings {
            Some(Ok(file)) => match file.try_lock_shared() {
                Ok(()) => false,
                Err(TryLockError::WouldBlock) => true,
                Err(TryLockError::Error(_)) => process_lives(self.ring.draining_parent()),
            },
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => false,
            _ => process_lives(self.ring.draining_parent()),
        }
    }

    /// The parent died: what it would have done is done here.
    fn write_out_full_chunks(&mut self) -> bool {
        for chunk in self.ring.chunks_in_order() {
            if self.ring.status(chunk) != ChunkStatus::Full {
                continue;
            }
            let words = self.ring.copy_chunk(chunk);
            let sequence = self.ring.sequence(chunk);
            let written = self.own_writer().and_then(|writer| writer.append(sequence as u32, &words, &mut code::shape));
            if let Err(error) = written {
                let RingInfo { pid, thread, .. } = self.info;
                self.settings.problem(&format!("recording of process {pid} thread {thread} stopped: {error}"));
                self.ring.set_stopped();
                return false;
            }
            self.ring.free_chunk(chunk);
        }
        true
    }

    fn own_writer(&mut self) -> Result<&mut TraceWriter, FormatError> {
        if self.own_writer.is_none() {
            let RingInfo { pid, thread, start, .. } = self.info;
            let folder = self.settings.folder.as_deref().unwrap_or(Path::new(""));
            let path = folder.join(format!("{pid}-{thread}.trace"));
            let writer = if path.exists() {
                TraceWriter::reopen(&path, &mut code::shape)?
            } else {
                TraceWriter::create(&path, TraceInfo { pid, thread, start })?
            };
            self.own_writer = Some(writer);
        }
        Ok(self.own_writer.as_mut().expect("just made"))
    }
}

const GAP_AS_THE_DISK_WAS_FULL: u32 = header::of_record(record::GAP, header::GAP_DISK_FULL);

thread_local! {
    static RING: RefCell<Option<OpenRing>> = const { RefCell::new(None) };
}

static MAIN_RING: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static AT_EXIT: Once = Once::new();

/// `process.exit` tears no environment down, but `exit` runs this.
extern "C" fn end_of_process() {
    let end = || {
        let memory = MAIN_RING.load(Ordering::Acquire);
        if !memory.is_null() {
            // SAFETY: the mapping of the main thread's ring stays until the process ends.
            if let Ok(ring) = unsafe { Ring::from_raw(memory, RingLayout::HEADER_BYTES, "ring") } {
                ring.set_ended();
            }
        }
    };
    guard::enter(guard::END_OF_PROCESS, Failing::TriesAgain, end, || {});
}

/// No event of any thread reaches the run from here on: the threads go on writing into memory of their own. What the run has is what
/// it would have if the process had been killed now.
pub fn freeze() {
    let mut rings = RINGS.lock().unwrap_or_else(PoisonError::into_inner);
    for ring in rings.drain(..) {
        // SAFETY: whole pages of a mapping that stays are replaced by others of the same size. Events are written so that each instant
        // leaves whole ones. If the system refuses, the ring stays as it is.
        let _ = unsafe { map_own_memory(ring.0 as *mut u8, ring.1) };
    }
}

/// The first word of the chunk that this thread fills.
pub fn start_of_chunk() -> u32 {
    let start = |ring: &OpenRing| ring.chunk * ring.info.layout.chunk_words;
    RING.try_with(|slot| slot.try_borrow().ok().and_then(|slot| slot.as_ref().map(start))).ok().flatten().unwrap_or(0)
}

/// The event memory of all threads, without the headers: address and bytes.
static RINGS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Puts memory of this process alone in the place of what is there.
///
/// # Safety
/// The memory must be whole pages of a mapping of ours.
unsafe fn map_own_memory(start: *mut u8, bytes: usize) -> io::Result<()> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
    // SAFETY: the caller's.
    let mapped = unsafe { libc::mmap(start.cast(), bytes, protection, flags, -1, 0) };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The thread's own number, unless an earlier process of the same number has used it: pids come again, and `execve` keeps
/// its own.
fn unused_thread(folder: &Path, pid: u32, thread: u32) -> u32 {
    let is_used =
        |thread: u32| ["ring", "trace"].iter().any(|kind| folder.join(format!("{pid}-{thread}.{kind}")).exists());
    (0..).map(|again| thread + again * 100_000).find(|thread| !is_used(*thread)).unwrap_or(thread)
}

/// Memory of this process alone.
fn map_memory(info: &RingInfo, parent: u32) -> io::Result<MmapRaw> {
    let mut map = MmapOptions::new().len(with_spare(info.layout)).map_anon()?;
    info.write(&mut map[..RingLayout::HEADER_BYTES], parent);
    Ok(map.into())
}

fn map_new_file(folder: &Path, info: &RingInfo, parent: u32) -> io::Result<MmapRaw> {
    let path = folder.join(format!("{}-{}.ring", info.pid, info.thread));
    // Made under another name, so that the parent never sees a ring without its header.
    let unfinished = path.with_extension("new");
    let made = (|| {
        let file = private::create(&unfinished)?;
        let bytes = info.layout.file_bytes();
        // SAFETY: the descriptor is open. All blocks are reserved now: a store into the mapping can then never fail,
        // and a failed one would kill the program with SIGBUS.
        let failure = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, bytes as libc::off_t) };
        if failure != 0 {
            return Err(io::Error::from_raw_os_error(failure));
        }
        // A mapping may be longer than its file.
        let map = MmapOptions::new().len(with_spare(info.layout)).map_raw(&file)?;
        // What is behind the end of a file in its last page can be written, too.
        let pages = bytes.next_multiple_of(page_bytes());
        // SAFETY: the whole pages of the mapping behind those of the file, which nobody knows yet.
        unsafe { map_own_memory(map.as_mut_ptr().add(pages), map.len() - pages)? };
        // SAFETY: nobody else knows the mapping yet.
        let header = unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr(), RingLayout::HEADER_BYTES) };
        info.write(header, parent);
        std::fs::rename(&unfinished, &path)?;
        Ok(map)
    })();
    if made.is_err() {
        let _ = std::fs::remove_file(&unfinished);
    }
    made
}

fn page_bytes() -> usize {
    // SAFETY: it only asks.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

fn with_spare(layout: RingLayout) -> usize {
    layout.chunk_start(layout.n_chunks + 1)
}

fn process_lives(pid: u32) -> bool {
    // SAFETY: signal 0 only asks.
    let asked = unsafe { libc::kill(pid as libc::pid_t, 0) };
    asked == 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
}
