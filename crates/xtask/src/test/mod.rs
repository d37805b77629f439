//! `cargo xtask test`: every step installs what it needs itself.

pub mod agreement;
pub mod crowd;
pub mod debian;
pub mod ecosystem;
pub mod oracle;
pub mod packages;
pub mod parity;

pub mod schemathesis;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::Args;

use crate::process::{command, npm_ci, output, run as execute, say, works};
use crate::steps::{Choice, Shard, Steps};
use crate::{artifacts, npm, paths};

/// Node versions, by the names under which tests/nodes installs them.
const NODES: [&str; 4] = ["node20", "node22", "node24", "node26"];

/// One that is not recorded: the program must not notice that we tried.
const UNSUPPORTED: &str = "unsupported";

#[derive(Args)]
pub struct Options {
    /// Only the steps whose name contains this.
    only: Option<String>,
    /// Run each step so often, to see whether it fails now and then.
    #[arg(long, default_value_t = 1)]
    repeat: u32,
    /// Only a part of the steps, so that several machines share them: 1/4 to 4/4.
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Where generated programs, kills and random requests begin. By default it follows from the date, so that unchanged code is
    /// still searched.
    #[arg(long)]
    seed: Option<u32>,
    /// Deeper, for an hour or more: ten times as many generated programs and kills, and all tools and packages instead of samples.
    #[arg(long)]
    all: bool,
}

/// Gives whether all steps passed. Long steps come first, so that no core waits for the last of them.
pub fn run(options: &Options) -> Result<bool> {
    let seed = options.seed.unwrap_or_else(seed_of_today);
    println!("what is chosen by chance begins at seed {seed} (`--seed {seed}` repeats it)");
    if options.all {
        println!(
            "--all: ten times as many generated programs and kills; the whole of the ecosystem and of the package suites"
        );
    }
    // Everything below needs the artifacts, so a build that fails ends it all.
    artifacts::build()?;
    npm_ci("tests/nodes")?;
    let choice = Choice { only: options.only.clone(), shard: options.shard, repeat: options.repeat };
    let mut steps = Steps::new(choice);
    add_steps(&mut steps, seed, options.all);
    Ok(steps.run())
}

/// A thousand programs for each day since 1970.
fn seed_of_today() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs() / 86_400 * 1_000).unwrap_or(1)
}

fn add_steps(steps: &mut Steps, seed: u32, is_deep: bool) {
    let many = if is_deep { 10 } else { 1 };
    steps.add("rust tests", move || {
        debian::install_postgres()?;
        rust_tests(seed)
    });
    steps.add("npm packages", npm_packages);
    for name in NODES {
        steps.add(format!("specs, {name}"), move || specs(name));
        steps.add(format!("programs, {name}"), move || with_node("tests/programs/run.mjs", name, &[]));
        steps.add(format!("agent, {name}"), move || agent(name));
        steps.add(format!("hazards, {name}"), move || hazards(name));
        steps.add(format!("generated programs, {name}"), move || {
            let (count, seed) = ((40 * many).to_string(), seed.to_string());
            with_node("tests/generated/run.mjs", name, &["--count", &count, "--seed", &seed])
        });
        steps.add(format!("stack names, {name}"), move || {
            let (count, seed) = ((25 * many).to_string(), seed.to_string());
            with_node("tests/generated/stack-names.mjs", name, &["--count", &count, "--seed", &seed])
        });
        steps.add(format!("kills, {name}"), move || {
            let (count, seed) = ((10 * many).to_string(), seed.to_string());
            with_node("tests/kills/run.mjs", name, &["--count", &count, "--seed", &seed])
        });
    }
    for name in ["node20", "node24", "node26"] {
        steps.add(format!("panics of the addon, {name}"), move || with_node("tests/panics/run.mjs", name, &[]));
    }
    steps.add("programs, unsupported", || {
        say_if_newer();
        with_node("tests/programs/run.mjs", UNSUPPORTED, &["--unrecorded"])
    });
    steps.add("ecosystem", move || {
        let sample: &[&str] = if is_deep { &["--keep"] } else { &["--sample", "--keep"] };
        ecosystem::run(&sample.iter().map(|&argument| argument.to_owned()).collect::<Vec<_>>())
    });
    steps.add("package suites", move || match is_deep {
        true => packages::run(&[]),
        false => packages::run(&["--small".to_owned()]),
    });
    steps.add("page", page);
    steps.add("unit tests of the page", unit_tests_of_page);
    steps.add("debug adapter", debug_adapter);
    steps.add("mcp", move || mcp(100 * many, seed));
    steps.add("schemathesis", move || schemathesis::run(30 * many, seed));
    steps.add("failures of runners", || {
        with_node("tests/failures/run.mjs", NODES[0], &[])?;
        with_node("tests/failures/run.mjs", NODES[NODES.len() - 1], &[])?;
        with_node("tests/failures/watch.mjs", NODES[0], &[])
    });
    steps.add("built-ins", move || {
        let (count, seed) = ((400 * many).to_string(), seed.to_string());
        with_node("tests/built-ins/run.mjs", NODES[0], &["--count", &count, "--seed", &seed])
    });
    steps.add("forms of writes", || with_node("tests/forms/run.mjs", NODES[0], &[]));
    steps.add("oracle", move || oracle::run(100 * many, seed));
    steps.add("soundness of the analysis", move || oracle::soundness(15 * many, seed));
    steps.add("agreement", move || match is_deep {
        true => agreement::run(&["--specs", "all", "--count", "500", "--seed", &seed.to_string()]),
        false => agreement::run(&["--specs", "20", "--count", "5", "--seed", &seed.to_string()]),
    });
    steps.add("parity, a sample", parity::sample);
    steps.add("runtime tests", || execute(command("packages/runtime", "node").args(["--test", "test/"])));
    steps.add("judge oracle", || execute(command("bench/judge", "node").args(["--test", "."])));
    steps.add("comparison of the ecosystem", || {
        execute(command("tests/ecosystem", "node").args(["--test", "observe.test.mjs"]))
    });
    steps.add("clippy", || {
        execute(command(".", "cargo").args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    });
    steps.add("format", || execute(command(".", "cargo").args(["fmt", "--all", "--check"])));
}

fn rust_tests(seed: u32) -> Result<()> {
    let seeded = |arguments: &[&str]| {
        let mut command = command(".", "cargo");
        command.args(arguments).args(["--workspace", "--exclude", "spec-test", "--no-fail-fast"]);
        command.env("WHEREFORE_FUZZ_SEED", seed.to_string());
        command
    };
    if works(command(".", "cargo").args(["nextest", "--version"])) {
        execute(&mut seeded(&["nextest", "run"]))?;
        return execute(command(".", "cargo").args(["test", "--workspace", "--doc", "--quiet"]));
    }
    execute(&mut seeded(&["test"]))
}

/// The questions of `specs/`, asked of programs that the named Node ran.
fn specs(name: &str) -> Result<()> {
    // The workspace is named, so that cargo takes what it has built already.
    let test = ["test", "--workspace", "--test", "specs"];
    execute(command(".", "cargo").args(test).env("WHEREFORE_NODE", node(name)?))
}

/// Says so if the registry has a newer Node than tests/nodes. That is no failure: a test must not fail because of what others publish.
fn say_if_newer() {
    let installed = node(NODES[NODES.len() - 1]).ok().and_then(|node| output(command(".", node).arg("--version")).ok());
    let published = output(command(".", "npm").args(["view", "node", "version", "--loglevel=error"])).ok();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().trim_start_matches('v').to_owned();
    if let (Some(installed), Some(published)) = (installed.map(text), published.map(text))
        && installed != published
    {
        say(&format!(
            "the npm registry has Node {published}, tests/nodes has {installed}; docs/platforms.md says how a new major version is brought in"
        ));
    }
}

/// The page in Debian's Chromium, which is installed where it is missing. Pictures of each step are kept in target/page.
fn page() -> Result<()> {
    debian::install_chromium()?;
    npm_ci("tests/page")?;
    execute(command(".", "node").arg("tests/page/run.mjs").arg("--wherefore").arg(paths::wherefore()))
}

/// What of the page can be told without a browser: the tree of cards, and that none is lost when two pages save at once.
fn unit_tests_of_page() -> Result<()> {
    npm_ci("web")?;
    execute(command("web", "npm").args(["test", "--silent"]))
}

/// `wherefore dap` under a client that is not ours; and whether every message is one of the protocol, also in the sessions of our own client.
fn debug_adapter() -> Result<()> {
    npm_ci("tests/dap")?;
    execute(command(".", "node").arg("tests/dap/run.mjs").arg("--wherefore").arg(paths::wherefore()))?;
    let messages = tempfile::tempdir()?;
    // The workspace is named, so that cargo takes what it has built already.
    let sessions = ["test", "--workspace", "--test", "it", "dap::"];
    execute(command(".", "cargo").args(sessions).env("DAP_MESSAGES", messages.path()))?;
    execute(command(".", "node").arg("tests/dap/messages.mjs").arg(messages.path()))
}

/// Clients of others ask `wherefore mcp`, and so many random calls are made.
fn mcp(count: u32, seed: u32) -> Result<()> {
    npm_ci("tests/mcp")?;
    let mut command = command(".", "node");
    command.args(["tests/mcp/run.mjs", "--count", &count.to_string(), "--seed", &seed.to_string(), "--wherefore"]);
    execute(command.arg(paths::wherefore()))
}

fn hazards(name: &str) -> Result<()> {
    let mut command = command("tests/hazards", node(name)?);
    command.args(["--no-warnings", "--experimental-vm-modules", "run.mjs", "--server"]);
    command.arg(format!("{} instrument --server", paths::wherefore().display()));
    command.arg("--prelude").arg(paths::prelude());
    execute(command.args(["--sparse", "5"]))
}

/// Runs one of our runners, which record programs under the named Node.
fn with_node(runner: &str, name: &str, arguments: &[&str]) -> Result<()> {
    let node = node(name)?;
    let mut command = command(".", &node);
    command.arg(runner).arg("--node").arg(&node).arg("--wherefore").arg(paths::wherefore());
    execute(command.args(arguments))
}

/// What people install, on a machine that has Node alone.
fn npm_packages() -> Result<()> {
    let tarballs = npm::pack(npm::Build::Release)?;
    execute(command(".", "node").arg("tests/npm/run.mjs").args(tarballs).arg("--programs"))
}

/// The agent of production: programs with it and without it, what it sends, and servers of all kinds.
fn agent(name: &str) -> Result<()> {
    with_node("tests/programs/run.mjs", name, &["--agent"])?;
    let mut command = command("tests/agent", node(name)?);
    // Node counts a whole file as a test, too: on a busy machine one takes minutes.
    execute(
        command
            .args(["--test", "--test-concurrency=4", "--test-timeout=300000"])
            .args(AGENT_TESTS)
            .env("WHEREFORE_NODE", node(name)?)
            .env("WHEREFORE_COMMAND", paths::wherefore()),
    )
}

const AGENT_TESTS: [&str; 7] = [
    "collect.test.mjs",
    "crashes.test.mjs",
    "policies.test.mjs",
    "privacy.test.mjs",
    "recording.test.mjs",
    "reports.test.mjs",
    "servers.test.mjs",
];

fn node(name: &str) -> Result<std::path::PathBuf> {
    let modules = paths::root().join("tests/nodes/node_modules");
    for machine in ["x64", "arm64"] {
        let node = modules.join(format!("{name}-{machine}/bin/node"));
        if node.exists() {
            return Ok(node);
        }
    }
    bail!("tests/nodes has no {name} for this machine")
}
