//! Answers about generated programs, compared with those of an oracle that scans all events and with what the programs say.

use anyhow::Result;

use crate::process::{command, run as execute};
use crate::{artifacts, paths};

pub fn run(count: u32, seed: u32) -> Result<()> {
    artifacts::build_trials()?;
    let mut command = command(".", "node");
    command.arg("tests/oracle/run.mjs").arg("--wherefore").arg(paths::wherefore());
    command.arg("--oracle").arg(paths::built().join("oracle"));
    // Clauses of explanations of the first hundred programs that are wrong and not mended: these and no others.
    if (count, seed) == (100, 1) {
        command.arg("--known").arg("tests/oracle/known.txt");
    }
    execute(command.arg("--count").arg(count.to_string()).arg("--seed").arg(seed.to_string()))
}

/// What generated programs did is among what the analysis of their source finds.
pub fn soundness(count: u32, seed: u32) -> Result<()> {
    artifacts::build_trials()?;
    let mut command = command(".", "node");
    command.arg("tests/generated/soundness.mjs").arg("--wherefore").arg(paths::wherefore());
    command.arg("--scorer").arg(paths::built().join("analysis_bench"));
    execute(command.arg("--count").arg(count.to_string()).arg("--seed").arg(seed.to_string()))
}
