//! test262, plain against instrumented. tests/parity/differences.txt lists what differs, and is empty.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use crate::process::{command, run as execute, say};
use crate::{artifacts, paths};

/// Our own cases, laid out as test262 is, for machines without a checkout of it.
const OWN_CASES: &str = "tests/parity/cases";

#[derive(Args)]
pub struct Options {
    /// A checkout of tc39/test262; without it our own cases are run.
    #[arg(long, env = "TEST262")]
    test262: Option<PathBuf>,
    /// Only every K-th file.
    #[arg(long, value_name = "K")]
    sample: Option<u32>,
    /// Not everything is recorded: each test has a policy of its own, at random from this seed.
    #[arg(long, value_name = "SEED")]
    sparse: Option<u32>,
    /// Another Node to run it on.
    #[arg(long)]
    node: Option<PathBuf>,
    /// Folders or files of the checkout.
    #[arg(default_values = ["test/language", "test/annexB"])]
    folders: Vec<String>,
}

pub fn run(options: &Options) -> Result<()> {
    artifacts::build()?;
    match &options.test262 {
        Some(checkout) => compare(checkout, options),
        None => {
            say("no test262 checkout (--test262 or $TEST262): only our own cases are run");
            sample()
        }
    }
}

/// Our own cases always; a sample of test262 where there is a checkout.
pub fn sample() -> Result<()> {
    let options = |folders: &[&str], sample, sparse| Options {
        test262: None,
        sample,
        sparse,
        node: None,
        folders: folders.iter().map(|&folder| folder.to_owned()).collect(),
    };
    let own_cases = paths::root().join(OWN_CASES);
    compare(&own_cases, &options(&["test"], None, None))?;
    for seed in 1..=3 {
        compare(&own_cases, &options(&["test"], None, Some(seed)))?;
    }
    match std::env::var_os("TEST262") {
        Some(checkout) => compare(Path::new(&checkout), &options(&["test/language", "test/annexB"], Some(40), None)),
        None => {
            say("no test262 checkout ($TEST262): only our own cases were run");
            Ok(())
        }
    }
}

fn compare(checkout: &Path, options: &Options) -> Result<()> {
    let results = paths::built().join("parity.json");
    let mut command = command(".", "node");
    command.arg("tests/parity/run.mjs").arg("--test262").arg(checkout).arg("--out").arg(&results);
    command.arg("--server").arg(format!("{} instrument --server", paths::wherefore().display()));
    command.arg("--prelude").arg(paths::prelude());
    // A test must not be taken for hung because the machine is busy.
    command.args(["--timeout", "20000"]);
    if let Some(seed) = options.sparse {
        command.arg("--sparse").arg(seed.to_string());
    } else if options.sample.is_none() && options.test262.is_some() {
        command.arg("--differences").arg("tests/parity/differences.txt");
    }
    if let Some(sample) = options.sample {
        command.arg("--sample").arg(sample.to_string());
    }
    if let Some(node) = &options.node {
        command.arg("--node").arg(node);
    }
    execute(command.args(&options.folders))
}
