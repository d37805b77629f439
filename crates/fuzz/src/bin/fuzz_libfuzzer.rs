//! The targets under libFuzzer, which chooses the inputs by the code that they reach. `cargo xtask bench fuzz` builds and starts it.

#![no_main]

use std::sync::LazyLock;

use fuzz::{Target, limits};
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    limits::bound_memory();
    let name = std::env::var("WHEREFORE_FUZZ_TARGET").expect("WHEREFORE_FUZZ_TARGET names a target");
    fuzz::target(&name).expect("a target has this name")
});

fuzz_target!(|input: &[u8]| (TARGET.run)(input));
