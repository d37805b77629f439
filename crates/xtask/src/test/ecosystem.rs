//! Tools and frameworks, plain against recorded. tests/ecosystem installs what they need, under target/.

use anyhow::Result;

use crate::process::{command, run as execute};
use crate::{artifacts, paths};

pub fn run(arguments: &[String]) -> Result<()> {
    artifacts::build()?;
    let mut command = command(".", "node");
    command.arg("tests/ecosystem/run.mjs").arg("--wherefore").arg(paths::wherefore());
    command.arg("--target").arg(paths::target().join("ecosystem"));
    execute(command.args(arguments))
}
