//! Where things are in the checkout.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/xtask lies two folders below the workspace")
}

/// How what is run is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// With the assertions that only tests pay for. The tests of the crates are built so too, so that every dependency is built once.
    Dev,
    /// As fast as it gets: for people, and for measurements.
    Release,
}

static PROFILE: OnceLock<Profile> = OnceLock::new();

/// Everything that this process builds and runs is of this profile. Said once, before anything is built; without it, it is the release.
pub fn use_profile(profile: Profile) {
    PROFILE.set(profile).expect("the profile is chosen once");
}

pub fn profile() -> Profile {
    *PROFILE.get_or_init(|| Profile::Release)
}

/// Where cargo puts what it builds, for all profiles.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Where cargo puts what it builds with our profile.
pub fn built() -> PathBuf {
    target().join(match profile() {
        Profile::Dev => "debug",
        Profile::Release => "release",
    })
}

pub fn wherefore() -> PathBuf {
    built().join("wherefore")
}

/// The prelude as a file, for the runners that load it into realms of their own.
pub fn prelude() -> PathBuf {
    built().join("prelude.js")
}
