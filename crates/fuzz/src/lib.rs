//! Where bytes come in from outside, each such place as a target: a function of bytes that must end soon, in bounded memory, without a panic.
//!
//! The functions know nothing of who drives them. libFuzzer does for minutes, with inputs that it chooses by the code that they reach
//! (`cargo xtask bench fuzz`, `bin/fuzz_libfuzzer.rs`). The tests do for one minute in all, with the ordinary build and inputs that are
//! made from the committed ones by a seed ([`drive`], `bin/fuzz.rs`). What counts as found is the same for both: a panic in any thread, also one that
//! is caught, more than [`limits`] allows, and an assertion of the target.

pub mod drive;
pub mod limits;
pub mod mutate;
mod sample;
mod seeds;
mod targets;

pub use seeds::seeds;
pub use targets::{TARGETS, Target};

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().chain([&limits::TRIAL]).find(|target| target.name == name)
}
