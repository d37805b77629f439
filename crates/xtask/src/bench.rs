//! Measurements. Each prints its table and fails where a limit is broken.

use anyhow::Result;
use clap::Subcommand;

use crate::process::{command, npm_ci, run as execute};
use crate::{artifacts, paths, test};

#[derive(Subcommand)]
pub enum Bench {
    /// CPU, memory, start-up and instrumenting time against their limits.
    Record {
        /// Passed on to bench/record.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The own test suites of npm packages, plain and recorded.
    Packages,
    /// Kills a busy program at random instants; every trace must open and hold all that was flushed.
    Kills {
        #[arg(long, default_value_t = 200)]
        count: u32,
    },
}

pub fn run(what: &Bench) -> Result<()> {
    artifacts::build()?;
    match what {
        Bench::Record { arguments } => {
            npm_ci("bench")?;
            let mut command = command(".", "node");
            command.arg("bench/record.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.args(arguments))
        }
        Bench::Packages => test::packages::run(&[]),
        Bench::Kills { count } => {
            let mut command = command(".", "node");
            command.arg("tests/kills/run.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.arg("--count").arg(count.to_string()))
        }
    }
}
