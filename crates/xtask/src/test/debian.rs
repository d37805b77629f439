//! What the tests need of the system: PostgreSQL for `crash-server`, and Chromium for the page.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use crate::process::{command, run, works};

/// Does nothing where it is there already.
pub fn install_postgres() -> Result<()> {
    install(&["postgresql"], || test_postgres::programs().is_some())
}

/// Does nothing where it is there already.
pub fn install_chromium() -> Result<()> {
    install(&["chromium", "fonts-dejavu-core"], || works(command(".", "chromium").arg("--version")))
}

fn install(packages: &[&str], is_there: impl Fn() -> bool) -> Result<()> {
    /// Two steps may want to install something; apt-get does one thing at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if is_there() {
        return Ok(());
    }
    let missing = || {
        format!("{} is needed and cannot be installed from here: apt-get install {}", packages[0], packages.join(" "))
    };
    let apt = || command(".", "apt-get");
    run(apt().args(["update", "-qq"])).with_context(missing)?;
    run(apt()
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive"))
    .with_context(missing)
}
