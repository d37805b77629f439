//! Many users of one program, and the server that learns from their crashes.

use anyhow::Result;

use crate::process::{command, run as execute};
use crate::{artifacts, paths};

/// The program that is run if none is named.
const PROGRAM: &str = "tests/crowd/shop.js";

pub fn run(arguments: &[String]) -> Result<()> {
    artifacts::build()?;
    let mut command = command(".", "node");
    command.arg("tests/crowd/run.mjs").arg("--wherefore").arg(paths::wherefore());
    command.arg("--agent").arg(paths::root().join("packages/agent/register.cjs"));
    if !arguments.iter().any(|argument| argument.starts_with("--program")) {
        command.args(["--program", PROGRAM]);
    }
    execute(command.args(arguments))
}
