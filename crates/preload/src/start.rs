//! What happens when a process starts, before any code of its own.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::environment::{LD_PRELOAD, NODE_OPTIONS, Ours, RUN};
use crate::interposed;
use crate::memory::{Room, map, strings};
use crate::permission;

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

/// The linker calls it once the C library is ready, and before the program and its other libraries.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn(c_int) = at_start;

extern "C" fn at_start(_: c_int) {
    interposed::find_all();
    // SAFETY: there is one thread, and it is in nobody else's code.
    unsafe {
        if let Some((ours, own)) = take_out(environ) {
            *OURS.0.get() = MaybeUninit::new(ours);
            IS_KNOWN.store(true, Ordering::Release);
            environ = own;
        }
    }
}

/// `None` in a process that belongs to no run.
pub fn ours() -> Option<&'static Ours> {
    // SAFETY: it was written before this said so, and never again.
    IS_KNOWN.load(Ordering::Acquire).then(|| unsafe { (*OURS.0.get()).assume_init_ref() })
}

/// The environment of the process, as whoever starts a program without naming one hands it on.
pub fn environment() -> *const *const c_char {
    // SAFETY: as unsafe as `execv` itself, which reads it without a lock, too.
    unsafe { environ }
}

/// Calls with another environment of the process.
///
/// # Safety
/// The block is an environment.
pub unsafe fn with_environment<R>(block: *const *const c_char, call: impl FnOnce() -> R) -> R {
    // SAFETY: as unsafe as what is called, which reads it without a lock, too. If another thread replaced it meanwhile, that stays.
    unsafe {
        let before = environ;
        environ = block;
        let result = call();
        if environ == block {
            environ = before;
        }
        result
    }
}

struct Known(UnsafeCell<MaybeUninit<Ours>>);

// SAFETY: see `ours`.
unsafe impl Sync for Known {}

static OURS: Known = Known(UnsafeCell::new(MaybeUninit::uninit()));
static IS_KNOWN: AtomicBool = AtomicBool::new(false);

/// As `cargo xtask build` names it.
const LIBRARY: &[u8] = b"/preload.so";

/// What is ours, and the environment without it, in pages that stay. The one that the system made is left as it is: programs in Go start others with what they find
/// there.
///
/// # Safety
/// `block` is an environment.
unsafe fn take_out(block: *const *const c_char) -> Option<(Ours, *const *const c_char)> {
    // SAFETY: as the caller says.
    let all = unsafe { strings(block) };
    let value_of = |name: &[u8]| all.clone().find_map(|line| line.to_bytes().strip_prefix(name));
    let library = value_of(LD_PRELOAD)?.split(|byte| *byte == b':').find(|path| path.ends_with(LIBRARY))?;
    let run = value_of(RUN)?;
    let n_pointers = all.clone().count() + 1;
    let n_bytes_of_pointers = n_pointers * size_of::<*const c_char>();
    let is_shared = |line: &&CStr| [LD_PRELOAD, NODE_OPTIONS].iter().any(|name| line.to_bytes().starts_with(name));
    let n_shared: usize = all.clone().filter(is_shared).map(|line| line.to_bytes_with_nul().len()).sum();
    // Each character of the option may need a backslash.
    let n_bytes = n_shared + library.len() + 5 * run.len() + 160;
    let memory = map(n_bytes_of_pointers + n_bytes);
    if memory.is_null() {
        return None;
    }
    let start: *mut *const c_char = memory.cast();
    // SAFETY: pages begin at multiples of everything, and these stay for ever.
    let mut room = unsafe { Room::new(start, n_pointers, memory.add(n_bytes_of_pointers), n_bytes) };
    let ours = Ours {
        library: room.text(&[library]),
        run: room.text(&[RUN, run]),
        preload: room.text(&[run, b"/preload.cjs"]),
        option: option(&mut room, run),
    };
    let options = value_of(NODE_OPTIONS).unwrap_or_default();
    let is_restricted = interposed::is_node() && permission::is_asked_for(options);
    if is_restricted {
        tell(room.text(&[run, b"/problems.txt"]), RESTRICTED);
    }
    let is_node = interposed::is_node() && !is_restricted;
    for line in all {
        let bytes = line.to_bytes();
        let shared = ours.shared();
        let found = shared.iter().find(|it| bytes.starts_with(it.name) && !(is_node && it.name == NODE_OPTIONS));
        match found.map(|it| it.without(bytes)) {
            // Node's preload file takes it back as well: it tells by it that this library is there.
            None if bytes.starts_with(RUN) && !is_node => {}
            None => room.push(line.as_ptr()),
            Some(None) => {}
            Some(Some([before, b""])) if before.len() == bytes.len() => room.push(line.as_ptr()),
            Some(Some([before, behind])) => {
                let rest = room.text(&[before, behind]);
                room.push(rest.as_ptr());
            }
        }
    }
    room.end_block();
    Some((ours, start))
}

/// Adds a line to a list of the run.
fn tell(file: &CStr, line: &[u8]) {
    // SAFETY: a string, and bytes with their length. Where it cannot be written nothing is said.
    unsafe {
        let file = libc::open(file.as_ptr(), libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT | libc::O_CLOEXEC, 0o600);
        if file >= 0 {
            libc::write(file, line.as_ptr().cast(), line.len());
            libc::close(file);
        }
    }
}

const RESTRICTED: &[u8] = b"a process ran with Node's permission model, which forbids addons, so it was not recorded\n";

/// As `record` writes it, and as Node reads it: quotes keep blanks, a backslash keeps what follows.
fn option(room: &mut Room, run: &[u8]) -> &'static CStr {
    let is_special = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0x0b | b'"' | b'\\');
    if !run.iter().any(is_special) {
        return room.text(&[b"--require=", run, b"/preload.cjs"]);
    }
    let start = room.part(b"--require=\"");
    for byte in run {
        if matches!(byte, b'"' | b'\\') {
            room.part(b"\\");
        }
        room.part(core::slice::from_ref(byte));
    }
    room.text(&[b"/preload.cjs\""]);
    // SAFETY: the last part put a zero behind it.
    unsafe { CStr::from_ptr(start.cast()) }
}
