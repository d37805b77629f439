//! `cargo xtask test`: every step installs what it needs itself.

pub mod agreement;
pub mod crowd;
pub mod debian;
pub mod ecosystem;
pub mod oracle;
pub mod packages;
pub mod parity;

pub mod schemathesis;

use anyhow::{Result, bail};

use crate::process::{command, npm_ci, output, run as execute, say, works};
use crate::steps::Steps;
use crate::{artifacts, npm, paths};

/// Node versions, by the names under which tests/nodes installs them.
const NODES: [&str; 4] = ["node20", "node22", "node24", "node26"];

/// One that is not recorded: the program must not notice that we tried.
const UNSUPPORTED: &str = "unsupported";

/// Gives whether all steps passed. Long steps come first, so that no core waits for the last of them.
pub fn run(only: Option<&str>, repeat: u32) -> Result<bool> {
    // Everything below needs the artifacts, so a build that fails ends it all.
    artifacts::build()?;
    npm_ci("tests/nodes")?;
    let mut steps = Steps::new(only, repeat);
    steps.add("rust tests", || {
        debian::install_postgres()?;
        rust_tests()
    });
    steps.add("npm packages", npm_packages);
    for name in NODES {
        steps.add(format!("specs, {name}"), move || specs(name));
        steps.add(format!("programs, {name}"), move || with_node("tests/programs/run.mjs", name, &[]));
        steps.add(format!("agent, {name}"), move || agent(name));
        steps.add(format!("hazards, {name}"), move || hazards(name));
        steps.add(format!("generated programs, {name}"), move || {
            with_node("tests/generated/run.mjs", name, &["--count", "40"])
        });
        steps.add(format!("kills, {name}"), move || with_node("tests/kills/run.mjs", name, &["--count", "10"]));
    }
    for name in ["node20", "node24", "node26"] {
        steps.add(format!("panics of the addon, {name}"), move || with_node("tests/panics/run.mjs", name, &[]));
    }
    steps.add("programs, unsupported", || {
        say_if_newer();
        with_node("tests/programs/run.mjs", UNSUPPORTED, &["--unrecorded"])
    });
    steps.add("ecosystem, a sample", || ecosystem::run(&["--sample".to_owned(), "--keep".to_owned()]));
    steps.add("package suites, a sample", || packages::run(&["--small".to_owned()]));
    steps.add("page", page);
    steps.add("debug adapter", debug_adapter);
    steps.add("mcp", || mcp("100"));
    steps.add("schemathesis", || schemathesis::run(30));
    steps.add("failures of runners", || with_node("tests/failures/run.mjs", NODES[0], &[]));
    steps.add("forms of writes", || with_node("tests/forms/run.mjs", NODES[0], &[]));
    steps.add("oracle, a sample", || oracle::run(100, 1));
    steps.add("soundness of the analysis, a sample", || oracle::soundness(15));
    steps.add("agreement, a sample", || agreement::run(&["--specs", "20", "--count", "5"]));
    steps.add("parity, a sample", parity::sample);
    steps.add("runtime tests", || execute(command("packages/runtime", "node").args(["--test", "test/"])));
    steps.add("judge oracle", || execute(command("bench/judge", "node").args(["--test", "."])));
    steps.add("comparison of the ecosystem", || {
        execute(command("tests/ecosystem", "node").args(["--test", "observe.test.mjs"]))
    });
    steps.add("clippy", || {
        execute(command(".", "cargo").args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    });
    steps.add("licences and advisories", cargo_deny);
    steps.add("format", || execute(command(".", "cargo").args(["fmt", "--all", "--check"])));
    Ok(steps.run())
}

fn rust_tests() -> Result<()> {
    if works(command(".", "cargo").args(["nextest", "--version"])) {
        execute(command(".", "cargo").args([
            "nextest",
            "run",
            "--workspace",
            "--exclude",
            "spec-test",
            "--no-fail-fast",
        ]))?;
        return execute(command(".", "cargo").args(["test", "--workspace", "--doc", "--quiet"]));
    }
    execute(command(".", "cargo").args(["test", "--workspace", "--exclude", "spec-test", "--no-fail-fast"]))
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

/// `wherefore dap` under a client that is not ours.
fn debug_adapter() -> Result<()> {
    npm_ci("tests/dap")?;
    execute(command(".", "node").arg("tests/dap/run.mjs").arg("--wherefore").arg(paths::wherefore()))
}

/// Clients of others ask `wherefore mcp`, and so many random calls are made.
fn mcp(count: &str) -> Result<()> {
    npm_ci("tests/mcp")?;
    let mut command = command(".", "node");
    execute(command.args(["tests/mcp/run.mjs", "--count", count, "--wherefore"]).arg(paths::wherefore()))
}

/// Not every machine has cargo-deny; where it is missing the step says so and passes.
fn cargo_deny() -> Result<()> {
    if works(command(".", "cargo").args(["deny", "--version"])) {
        return execute(command(".", "cargo").args(["deny", "--offline", "check", "licenses", "bans", "sources"]));
    }
    say("cargo-deny is not installed: skipped");
    Ok(())
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
