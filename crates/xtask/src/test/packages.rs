//! The own test suites of npm packages, plain against recorded.

use anyhow::Result;

use crate::paths;
use crate::process::{command, npm_ci, run as execute};

pub fn run(arguments: &[String]) -> Result<()> {
    npm_ci("tests/packages")?;
    let mut command = command(".", "node");
    command.arg("tests/packages/run.mjs").arg("--wherefore").arg(paths::wherefore());
    execute(command.args(arguments))
}
