//! Answers from full recordings, compared with those by re-execution.

use anyhow::Result;

use crate::process::{command, run as execute};
use crate::{artifacts, paths};

/// With arguments of tests/agreement/run.mjs.
pub fn run(arguments: &[&str]) -> Result<()> {
    artifacts::build_trials()?;
    let mut command = command(".", "node");
    command.arg("tests/agreement/run.mjs").arg("--agreement").arg(paths::built().join("agreement"));
    command.arg("--cache").arg(paths::target().join("bench"));
    execute(command.args(arguments))
}
