//! Signals belong to the program. The terminal sends them to it and to us alike; we stay to the end and then die as it did.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// While this lives, no signal that people send ends us. It must be there before the child starts, so that none finds us
/// unprepared; between two runs there is none, and Ctrl-C ends us as it would end anybody.
pub struct Signals {
    before: Vec<(i32, libc::sigaction)>,
}

impl Signals {
    pub fn take_over() -> Signals {
        INTERRUPTED.store(false, Ordering::Release);
        let taken = PASSED_ON.map(|signal| {
            let mut before = MaybeUninit::zeroed();
            // SAFETY: the handler only stores and calls `kill`, which is safe in a handler; all of zeros is a valid action.
            unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = pass_on as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                libc::sigaction(signal, &action, before.as_mut_ptr());
                (signal, before.assume_init())
            }
        });
        Signals { before: taken.into() }
    }

    /// While the child runs: what the terminal sends to both is ignored here, what is sent to us alone is passed on.
    pub fn pass_on_to(&self, child: u32) {
        CHILD.store(child as i32, Ordering::Release);
    }

    /// While a group of processes runs that the terminal does not know: what is to end us ends it.
    pub fn end_with_us(&self, group: u32) {
        CHILD.store(-(group as i32), Ordering::Release);
    }

    pub fn pass_on_to_nobody(&self) {
        CHILD.store(0, Ordering::Release);
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            // SAFETY: a plain system call with what an earlier one gave.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}

/// Whether a person wanted an end of it since the signals were taken over.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Acquire)
}

pub fn die_of(signal: i32) -> ! {
    // SAFETY: plain system calls. A core file of ours would only hide the program's.
    unsafe {
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    // The signal did not kill us: as a shell would say it.
    std::process::exit(128 + signal)
}

/// All that people send to programs and that would end us.
const PASSED_ON: [i32; 7] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2, libc::SIGALRM];
static CHILD: AtomicI32 = AtomicI32::new(0);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn pass_on(signal: i32, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    if matches!(signal, libc::SIGINT | libc::SIGTERM | libc::SIGHUP | libc::SIGQUIT) {
        INTERRUPTED.store(true, Ordering::Release);
    }
    // SAFETY: the kernel hands in a valid `info`.
    let from_kernel = unsafe { (*info).si_code } > 0;
    let child = CHILD.load(Ordering::Acquire);
    if child < 0 && INTERRUPTED.load(Ordering::Acquire) {
        // SAFETY: a plain system call; a negative number is a group.
        unsafe { libc::kill(child, libc::SIGKILL) };
    }
    // What the terminal sends comes from the kernel, and goes to the whole group: the child has it already.
    if !from_kernel && child > 0 {
        // SAFETY: a plain system call.
        unsafe { libc::kill(child, signal) };
    }
}
