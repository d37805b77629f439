//! What the tests need to record a program.

use std::path::{Path, PathBuf};

pub fn runtime() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/runtime")
}

/// `examples/record.rs`. Cargo builds the examples before it runs the tests, beside them.
pub fn recorder() -> PathBuf {
    let own = std::env::current_exe().expect("the path of this test");
    own.ancestors().nth(2).expect("target/debug").join("examples/record")
}
