//! A library that the dynamic linker loads into every process of a recorded command (`LD_PRELOAD`), so that the Node processes among
//! them are found however they were started: scripts set and clear `NODE_OPTIONS`, `env -i` and Python start programs with an environment of
//! their own, nvm and shims start Node by an absolute path.
//!
//! Three variables lead to a recorded Node: `LD_PRELOAD` names this library, `WHEREFORE_RUN` the run, and `NODE_OPTIONS` the preload file of
//! the run. When a process starts, they are taken out of its environment before its own code runs (`start`), so that neither `env`
//! in a shell nor `os.environ` in Python shows them; only a Node keeps its option and the run, which its preload file takes back. When a
//! process starts a program, they are added again (`interposed`, `environment`), whatever environment it gives to it.
//!
//! A Node that runs with the permission model runs as it is (`permission`), and the run says so.
//!
//! Out of reach are programs that do not use the C library to start others (static executables, Go), and those for which the system
//! ignores `LD_PRELOAD` (setuid, file capabilities). They see the three variables and mostly pass them on.
//!
//! What is interposed may be called between `vfork` and `exec`, where memory is shared with the parent and locks may be held. So nothing there allocates,
//! locks or panics: new environments are built on the stack, or in pages of their own if they are large. No function of the standard library that could
//! panic is used anywhere, which also keeps the library at a few kilobytes.

#![cfg(target_os = "linux")]
// As it is shipped (`cargo xtask build`). Whatever else is compiled with it, tests and lints, has the standard library.
#![cfg_attr(feature = "bare", no_std)]
#![cfg_attr(test, expect(dead_code, reason = "a test is no process of a command"))]

mod environment;
mod interposed;
mod memory;
mod permission;
mod start;

/// The linker wants one. Nothing panics.
#[cfg(feature = "bare")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: it takes nothing.
    unsafe { libc::abort() }
}
