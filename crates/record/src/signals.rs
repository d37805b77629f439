//! Signals that belong to the program, where the front end says so. The terminal sends them to it and to us alike; we stay to the
//! end and then die as it did.
//!
//! A signal is a matter of the whole process, so what is here is, too: a list of all runs that want signals, which a handler goes
//! through. It is touched by nobody who does not ask for it, and when the last of them is over everything is as it was before.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, kill_process_group, setrlimit};

/// The signals of one run. While this lives, no signal that people send ends us. It must be there before the child starts, so
/// that none finds us unprepared; between two runs there is none, and Ctrl-C ends us as it would end anybody.
#[derive(Debug)]
pub struct Signals(&'static Listener);

impl Signals {
    pub fn take_over() -> Signals {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        let signals = Signals(Listener::free());
        installed.n_runs += 1;
        if installed.n_runs == 1 {
            installed.before = PASSED_ON.iter().filter_map(|signal| install(*signal)).collect();
        }
        signals
    }

    /// While the child runs: what the terminal sends to both is ignored here, what is sent to us alone is passed on.
    pub fn pass_on_to(&self, child: u32) {
        self.0.child.store(child as i32, Ordering::Release);
    }

    /// While a group of processes runs that the terminal does not know: what is to end us ends it.
    pub fn end_with_us(&self, group: u32) {
        self.0.child.store(-(group as i32), Ordering::Release);
    }

    pub fn pass_on_to_nobody(&self) {
        self.0.child.store(0, Ordering::Release);
    }

    /// Whether a person wanted an end of it since the signals were taken over.
    pub fn interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::Acquire)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        installed.n_runs -= 1;
        if installed.n_runs == 0 {
            for (signal, action) in installed.before.drain(..) {
                // SAFETY: the action is one that the system gave for this signal.
                unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
            }
        }
        self.0.child.store(0, Ordering::Release);
        self.0.is_taken.store(false, Ordering::Release);
    }
}

/// Asks a child of ours to end.
pub fn ask_to_end(child: u32) {
    if let Some(child) = Pid::from_raw(child as i32) {
        let _ = kill_process(child, Signal::TERM);
    }
}

pub fn die_of(signal: i32) -> ! {
    // A core file of ours would only hide the program's.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    // SAFETY: the default action runs no code of ours.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    // The signal did not kill us: as a shell would say it.
    std::process::exit(128 + signal)
}

/// All that people send to programs and that would end us.
const PASSED_ON: [i32; 7] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2, libc::SIGALRM];

/// What was before the first of the runs that have signals now.
struct Installed {
    n_runs: usize,
    before: Vec<(i32, libc::sigaction)>,
}

static INSTALLED: Mutex<Installed> = Mutex::new(Installed { n_runs: 0, before: Vec::new() });

/// A run, as the handler sees it. A list of them that only grows, by as many as there were at once: a handler may be anywhere in it
/// at any time, so nothing in it ever goes, and free ones are used again.
#[derive(Debug)]
struct Listener {
    is_taken: AtomicBool,
    /// To whom signals go: a process, a group as a negative number, or nobody (0).
    child: AtomicI32,
    interrupted: AtomicBool,
    next: Option<&'static Listener>,
}

static NEWEST: AtomicPtr<Listener> = AtomicPtr::new(std::ptr::null_mut());

impl Listener {
    fn all() -> impl Iterator<Item = &'static Listener> {
        // SAFETY: it is null, or a listener that was leaked and whose other fields are atomic or never change.
        let newest = unsafe { NEWEST.load(Ordering::Acquire).as_ref() };
        std::iter::successors(newest, |listener| listener.next)
    }

    /// One that is taken by nobody else. Only one thread at a time may ask.
    fn free() -> &'static Listener {
        if let Some(listener) = Listener::all().find(|listener| !listener.is_taken.load(Ordering::Acquire)) {
            listener.interrupted.store(false, Ordering::Release);
            listener.is_taken.store(true, Ordering::Release);
            return listener;
        }
        let listener = Box::leak(Box::new(Listener {
            is_taken: AtomicBool::new(true),
            child: AtomicI32::new(0),
            interrupted: AtomicBool::new(false),
            next: Listener::all().next(),
        }));
        NEWEST.store(listener, Ordering::Release);
        listener
    }
}

/// Gives what was before; `None` for a signal that is ignored: whoever started us so (`nohup`) wants it so, and a child inherits it.
fn install(signal: i32) -> Option<(i32, libc::sigaction)> {
    let mut before = MaybeUninit::zeroed();
    // SAFETY: all of zeros is a valid action. The handler only does what is allowed in one: it loads and stores atomics and makes
    // system calls that leave `errno` alone.
    unsafe {
        if libc::sigaction(signal, std::ptr::null(), before.as_mut_ptr()) != 0 {
            return None;
        }
        let before: libc::sigaction = before.assume_init();
        if before.sa_sigaction == libc::SIG_IGN {
            return None;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = pass_on as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut());
        Some((signal, before))
    }
}

extern "C" fn pass_on(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let is_end = matches!(signal, libc::SIGINT | libc::SIGTERM | libc::SIGHUP | libc::SIGQUIT);
    // SAFETY: the kernel hands in a valid `info`, as the handler was installed with SA_SIGINFO.
    let from_kernel = unsafe { (*info).si_code } > 0;
    for listener in Listener::all().filter(|listener| listener.is_taken.load(Ordering::Acquire)) {
        if is_end {
            listener.interrupted.store(true, Ordering::Release);
        }
        let child = listener.child.load(Ordering::Acquire);
        if child < 0
            && is_end
            && let Some(group) = Pid::from_raw(-child)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // What the terminal sends comes from the kernel, and goes to the whole group: the child has it already.
        if child > 0
            && !from_kernel
            && let (Some(child), Some(signal)) = (Pid::from_raw(child), Signal::from_named_raw(signal))
        {
            let _ = kill_process(child, signal);
        }
    }
}
