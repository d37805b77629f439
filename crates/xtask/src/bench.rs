//! Measurements. Each prints its table and fails where a limit is broken.

use anyhow::Result;
use clap::Subcommand;

use crate::process::{command, npm_ci, run as execute};
use crate::{artifacts, fuzz, paths, test};

#[derive(Subcommand)]
pub enum Bench {
    /// CPU, memory, start-up and instrumenting time against their limits.
    Record {
        /// Passed on to bench/record.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// What running again with only the hooks of a question costs, beside a full recording.
    Rerun {
        /// Passed on to bench/rerun.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Whether full recordings and hooks became dearer than in an older build: `--before BIN`, the `wherefore` of its checkout.
    Builds {
        /// Passed on to bench/builds.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The own test suites of npm packages, plain and recorded.
    Packages,
    /// Random questions about generated programs, answered by the query engine, by an oracle that scans all events, and by the
    /// programs themselves; every disagreement is an error.
    Oracle {
        #[arg(long, default_value_t = 1000)]
        count: u32,
        #[arg(long, default_value_t = 1)]
        seed: u32,
    },
    /// Every specification, the ten real bugs and generated programs: each question answered from a full recording and by
    /// re-execution; every disagreement is an error.
    Agreement {
        /// Passed on to tests/agreement/run.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// How fast questions about a recording of 100 million events are answered, and what recordings take on disk.
    Query {
        /// Passed on to bench/query.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// One run of 100 million events, asked by eight threads at once while another program is recorded in the same process.
    Sessions {
        /// Passed on to bench/sessions.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The page on a recording of 100 million events, in Chromium: first paint, clicks, scrolling, zooming, memory, against the limits.
    Page {
        /// Passed on to bench/page.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// `wherefore dap` on a recording of 100 million events, and on an object of a million keys: stepping and continuing back, opening.
    Dap {
        /// Passed on to bench/dap.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// What a person waits for: the whole recording beside the CPU time of the program, and the first question after it.
    Wait {
        /// Passed on to bench/wait.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The call graph of the static analysis against recorded runs: recall, precision, time and memory, against the limits.
    Analysis {
        /// Passed on to bench/analysis.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Real bugs in which something was left out: the rank of the place that lacks the code.
    Omissions {
        /// Passed on to bench/omissions.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Whether `wherefore why` names the cause of real bugs and of seeded ones.
    Why {
        /// Passed on to bench/why.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// What `why --experiment` proves about real bugs, and what an experiment costs beside a plain run.
    Experiments {
        /// Passed on to bench/experiments.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Small projects under many test runners, each with a planted cause: where the failure starts, and how far down the cause is.
    Runners {
        /// Passed on to bench/runners.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// `wherefore why -- COMMAND` on ordinary projects, as people start their tests: wall time beside the plain command, where it starts,
    /// whether it names the cause, and how much of what it records is of tools.
    FirstMinute {
        /// Passed on to bench/first-minute.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Crash paths of real bugs, found crash by crash: how many crashes, which share of the functions, what recording them costs.
    Crowd {
        /// Passed on to bench/crowd.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Failing tests of real projects: where the failure starts, and how far down the cause is. `--trees DIR` has their trees.
    Suites {
        /// Passed on to bench/suites.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// How often a chain of questions, each answered by running a random program again, reaches the defect.
    Circle {
        #[arg(long, default_value_t = 50)]
        tries: u32,
    },
    /// How many questions `wherefore judge` asks until it names the call with a seeded defect, by each strategy.
    Judge {
        /// Passed on to bench/judge/run.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// What `wherefore ci` costs on a suite of 500 tests that all pass, against its limit.
    Ci {
        /// Passed on to bench/ci.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// What the idle agent of production costs, at the start of a program and while it runs.
    Agent {
        /// Passed on to bench/agent.mjs.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Reports a second, latency, kills under load and two instances of `wherefore collect`, with PostgreSQL and SQLite.
    Collect {
        /// Passed on to the load generator: --seconds N, --kills N, --attack ROUNDS.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// The places where bytes come in from outside, under libFuzzer, from the committed inputs: nothing may be found.
    Fuzz(fuzz::Options),
    /// Schemathesis against the OpenAPI document of `wherefore collect`, for longer than in the tests.
    Schemathesis {
        #[arg(long, default_value_t = 300)]
        seconds: u32,
    },
    /// Kills a busy program at random instants; every trace must open and hold all that was flushed.
    Kills {
        #[arg(long, default_value_t = 200)]
        count: u32,
    },
}

pub fn run(what: &Bench) -> Result<()> {
    // The targets are built by themselves.
    if !matches!(what, Bench::Fuzz(_)) {
        artifacts::build()?;
    }
    match what {
        Bench::Record { arguments } => {
            npm_ci("bench")?;
            let mut command = command(".", "node");
            command.arg("bench/record.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.args(arguments))
        }
        Bench::Rerun { arguments } => {
            npm_ci("bench")?;
            let mut command = command(".", "node");
            command.arg("bench/rerun.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.args(arguments))
        }
        Bench::Builds { arguments } => {
            npm_ci("bench")?;
            let mut command = command(".", "node");
            command.arg("bench/builds.mjs").arg("--after").arg(paths::wherefore());
            execute(command.args(arguments))
        }
        Bench::Oracle { count, seed } => test::oracle::run(*count, *seed),
        Bench::Agreement { arguments } => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            test::agreement::run(&[&["--specs", "all", "--bugs", "--count", "500"], &arguments[..]].concat())
        }
        Bench::Sessions { arguments } => {
            artifacts::build_trials()?;
            execute(
                command(".", "node")
                    .args(["bench/sessions.mjs", "--wherefore"])
                    .arg(paths::wherefore())
                    .arg("--asker")
                    .arg(paths::built().join("session_bench"))
                    .args(arguments),
            )
        }
        Bench::Query { arguments } => {
            npm_ci("bench")?;
            artifacts::build_trials()?;
            execute(
                command(".", "node")
                    .args(["bench/query.mjs", "--wherefore"])
                    .arg(paths::wherefore())
                    .arg("--asker")
                    .arg(paths::built().join("query_bench"))
                    .arg("--cache")
                    .arg(paths::target().join("bench"))
                    .args(arguments),
            )
        }
        Bench::Page { arguments } => {
            npm_ci("tests/page")?;
            with_cache("bench/page.mjs", "", arguments)
        }
        Bench::Dap { arguments } => with_cache("bench/dap.mjs", "", arguments),
        Bench::Wait { arguments } => {
            npm_ci("bench")?;
            let mut command = command(".", "node");
            command.arg("bench/wait.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.args(arguments))
        }
        Bench::Analysis { arguments } => {
            npm_ci("bench")?;
            artifacts::build_trials()?;
            let scorer = paths::built().join("analysis_bench");
            let arguments: Vec<_> = [&["--scorer".into(), scorer.into_os_string()][..], &as_os(arguments)[..]].concat();
            with_cache("bench/analysis.mjs", "analysis", &arguments)
        }
        Bench::Omissions { arguments } => with_cache("bench/omissions.mjs", "", arguments),
        Bench::Why { arguments } => with_cache("bench/why.mjs", "", arguments),
        Bench::Experiments { arguments } => with_cache("bench/experiments.mjs", "", arguments),
        Bench::Runners { arguments } => with_cache("bench/runners.mjs", "", arguments),
        Bench::FirstMinute { arguments } => {
            npm_ci("tests/nodes")?;
            with_cache("bench/first-minute.mjs", "", arguments)
        }
        Bench::Crowd { arguments } => with_cache("bench/crowd.mjs", "", arguments),
        Bench::Suites { arguments } => execute(
            command(".", "node").args(["bench/suites.mjs", "--wherefore"]).arg(paths::wherefore()).args(arguments),
        ),
        Bench::Circle { tries } => {
            let mut command = command(".", "node");
            command.arg("bench/circle.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.arg("--tries").arg(tries.to_string()))
        }
        Bench::Judge { arguments } => execute(
            command(".", "node").args(["bench/judge/run.mjs", "--wherefore"]).arg(paths::wherefore()).args(arguments),
        ),
        Bench::Ci { arguments } => {
            execute(command(".", "node").args(["bench/ci.mjs", "--wherefore"]).arg(paths::wherefore()).args(arguments))
        }
        Bench::Agent { arguments } => execute(command(".", "node").arg("bench/agent.mjs").args(arguments)),
        Bench::Collect { arguments } => {
            test::debian::install_postgres()?;
            artifacts::build_trials()?;
            let bench = paths::built().join("collect_bench");
            execute(command(".", bench).arg("--wherefore").arg(paths::wherefore()).args(arguments))
        }
        Bench::Fuzz(options) => fuzz::run(options),
        Bench::Schemathesis { seconds } => test::schemathesis::run(*seconds, 1),
        Bench::Packages => test::packages::run(&[]),
        Bench::Kills { count } => {
            let mut command = command(".", "node");
            command.arg("tests/kills/run.mjs").arg("--wherefore").arg(paths::wherefore());
            execute(command.arg("--count").arg(count.to_string()))
        }
    }
}

fn as_os(arguments: &[String]) -> Vec<std::ffi::OsString> {
    arguments.iter().map(Into::into).collect()
}

/// Runs a script that keeps what it installs in a folder of the cache.
fn with_cache<A: AsRef<std::ffi::OsStr>>(script: &str, folder: &str, arguments: &[A]) -> Result<()> {
    let cache = paths::target().join("bench").join(folder);
    let mut command = command(".", "node");
    command.arg(script).arg("--wherefore").arg(paths::wherefore()).arg("--cache").arg(cache);
    execute(command.args(arguments))
}
