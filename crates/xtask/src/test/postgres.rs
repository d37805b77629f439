//! PostgreSQL for the tests of `crash-server`, from the system's packages.

use anyhow::{Context, Result};

use crate::process::{command, run};

/// Does nothing where it is there already.
pub fn install() -> Result<()> {
    if test_postgres::programs().is_some() {
        return Ok(());
    }
    let missing = "PostgreSQL is needed and cannot be installed from here: apt-get install postgresql";
    let apt = || command(".", "apt-get");
    run(apt().args(["update", "-qq"])).context(missing)?;
    run(apt()
        .args(["install", "-y", "-qq", "--no-install-recommends", "postgresql"])
        .env("DEBIAN_FRONTEND", "noninteractive"))
    .context(missing)
}
