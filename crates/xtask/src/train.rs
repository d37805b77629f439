//! `cargo xtask train why`: fits the weights by which `why` ranks what it found, and writes them where the engine has them.

use anyhow::Result;
use clap::Subcommand;

use crate::process::{command, npm_ci, run as execute};
use crate::{artifacts, paths};

#[derive(Subcommand)]
pub enum Train {
    /// The weights of the ranking of `why`, on the seeded defects of bench/why/seeded.
    Why {
        /// Passed on to bench/why/train.mjs: --most N, --jobs N …
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

pub fn run(what: &Train) -> Result<()> {
    let Train::Why { arguments } = what;
    artifacts::build()?;
    artifacts::build_trials()?;
    npm_ci("bench/why/seeded")?;
    let mut train = command(".", "node");
    train.arg("bench/why/train.mjs").arg("--wherefore").arg(paths::wherefore());
    train.arg("--candidates").arg(paths::built().join("why_candidates"));
    train.arg("--cache").arg(paths::target().join("bench/seeded"));
    train.arg("--weights").arg(paths::root().join(WEIGHTS));
    execute(train.args(arguments))?;
    execute(command(".", "cargo").args(["fmt", "--package", "query"]))
}

const WEIGHTS: &str = "crates/query/src/why/weights.rs";
