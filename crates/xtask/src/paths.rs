//! Where things are in the checkout.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/xtask lies two folders below the workspace")
}

pub fn release() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("release")
}

pub fn wherefore() -> PathBuf {
    release().join("wherefore")
}

/// The prelude as a file, for the runners that load it into realms of their own.
pub fn prelude() -> PathBuf {
    release().join("prelude.js")
}
