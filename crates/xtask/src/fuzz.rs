//! The targets of `crates/fuzz` under libFuzzer, from the committed inputs: what is found, and how much code was reached.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, ensure};

use crate::process::{command, output, run as execute};
use crate::{artifacts, paths};

#[derive(clap::Args)]
pub struct Options {
    /// For each target.
    #[arg(long, default_value_t = 600)]
    seconds: u32,
    /// Only these.
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// So many at once; as many as there are cores if left out.
    #[arg(long)]
    jobs: Option<usize>,
    /// Record crates/fuzz/inputs/program anew first, as crates/fuzz/inputs/run.wherefore.
    #[arg(long)]
    renew_run: bool,
}

/// What cargo-fuzz passes to the compiler, but for the sanitizers, which need a nightly one: every edge is counted, and comparisons are watched.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

pub fn run(options: &Options) -> Result<()> {
    if options.renew_run {
        renew_run()?;
    }
    let programs = build()?;
    let known = output(command(".", &programs.ordinary).arg("targets"))?;
    let known = String::from_utf8(known)?;
    let is_wanted = |name: &&str| options.target.is_empty() || options.target.iter().any(|wanted| wanted == name);
    let targets: Vec<&str> = known.lines().filter(is_wanted).collect();
    ensure!(!targets.is_empty(), "the targets are {}", known.lines().collect::<Vec<_>>().join(", "));
    let ended = all(&targets, &programs, options)?;
    println!("{:<12}  {:>10}  {:>8}  {:>8}  found", "target", "inputs", "edges", "kept");
    for Ended { name, n_runs, n_edges, n_kept, found, .. } in &ended {
        let found = found.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ");
        let found = if found.is_empty() { "nothing" } else { &found };
        println!("{name:<12}  {n_runs:>10}  {n_edges:>8}  {n_kept:>8}  {found}");
    }
    for failed in ended.iter().filter(|ended| ended.failed()) {
        println!("{}:\n{}", failed.name, failed.said);
    }
    ensure!(!ended.iter().any(Ended::failed), "something was found; `fuzz once TARGET FILE` does it again");
    Ok(())
}

struct Programs {
    /// Knows the targets and their committed inputs.
    ordinary: PathBuf,
    libfuzzer: PathBuf,
}

/// The one with libFuzzer in a folder of its own: everything below is built once more, as it counts edges. The dev profile has the assertions of
/// the tests.
fn build() -> Result<Programs> {
    execute(command(".", "cargo").args(["build", "--package", "fuzz", "--bin", "fuzz"]))?;
    let target = paths::target().join("fuzz/build");
    let machine = host()?;
    execute(
        command(".", "cargo")
            .args(["build", "--package", "fuzz", "--bin", "fuzz_libfuzzer", "--features", "libfuzzer"])
            .args(["--target", &machine])
            .arg("--target-dir")
            .arg(&target)
            .env("RUSTFLAGS", FLAGS)
            .env("CARGO_INCREMENTAL", "0"),
    )?;
    let libfuzzer = target.join(machine).join("debug/fuzz_libfuzzer");
    Ok(Programs { ordinary: paths::target().join("debug/fuzz"), libfuzzer })
}

/// Where a target is named, build scripts and macros are built without the flags.
fn host() -> Result<String> {
    let version = String::from_utf8(output(command(".", "rustc").arg("-vV"))?)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc does not say for which machine it compiles")
}

/// Target after target, on several threads.
fn all(targets: &[&str], programs: &Programs, options: &Options) -> Result<Vec<Ended>> {
    let jobs = options.jobs.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |jobs| jobs.max(1));
    let waiting = Mutex::new(targets.iter());
    let ended = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs)
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let next = || waiting.lock().ok()?.next();
                    while let Some(target) = next() {
                        let one = one(target, programs, options.seconds)?;
                        ended.lock().expect("nobody panics here").push(one);
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("nobody panics here"))
    })?;
    let mut ended = ended.into_inner().expect("nobody panics here");
    ended.sort_by_key(|ended| targets.iter().position(|target| *target == ended.name));
    Ok(ended)
}

struct Ended {
    name: String,
    n_runs: u64,
    n_edges: u64,
    /// Inputs that reach what no other does.
    n_kept: usize,
    /// Inputs that made it fail.
    found: Vec<PathBuf>,
    is_success: bool,
    /// The end of what it printed.
    said: String,
}

impl Ended {
    fn failed(&self) -> bool {
        !self.is_success || !self.found.is_empty()
    }
}

fn one(target: &str, programs: &Programs, seconds: u32) -> Result<Ended> {
    let folder = paths::target().join("fuzz").join(target);
    let _ = fs::remove_dir_all(&folder);
    let (corpus, found, temporary) = (folder.join("inputs"), folder.join("found"), folder.join("temporary"));
    for folder in [&corpus, &found, &temporary] {
        fs::create_dir_all(folder)?;
    }
    let fenced = |program: &Path| {
        let mut command = command(".", program);
        command.env("TMPDIR", &temporary).env("WHEREFORE_RUNTIME", temporary.join("nothing is run"));
        command
    };
    execute(fenced(&programs.ordinary).args(["seeds", target]).arg(&corpus))?;
    let ended = libfuzzer(fenced(&programs.libfuzzer), target, &corpus, &found, seconds)
        .output()
        .with_context(|| format!("cannot start {target}"))?;
    fs::remove_dir_all(&temporary)?;
    let printed = String::from_utf8_lossy(&ended.stderr).into_owned();
    Ok(Ended {
        name: target.to_owned(),
        n_runs: number_behind(&printed, "stat::number_of_executed_units: "),
        n_edges: number_behind(&printed, " cov: "),
        n_kept: fs::read_dir(&corpus)?.count(),
        found: fs::read_dir(&found)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?,
        is_success: ended.status.success(),
        said: last_lines(&printed),
    })
}

fn libfuzzer(mut command: Command, target: &str, corpus: &Path, found: &Path, seconds: u32) -> Command {
    command.env("WHEREFORE_FUZZ_TARGET", target).stdin(Stdio::null());
    // The limits are those of crates/fuzz/src/limits.rs.
    command.args(["-timeout=10", "-max_len=16384", "-print_final_stats=1", "-rss_limit_mb=1024"]);
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-artifact_prefix={}/", found.display())).arg(corpus);
    command
}

/// The number behind the last of these words; 0 if they are not there.
fn number_behind(text: &str, words: &str) -> u64 {
    let behind = text.rsplit_once(words).map_or("", |(_, behind)| behind);
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind[..end].parse().unwrap_or_default()
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN)..].join("\n")
}

const SHOWN: usize = 60;

/// The run that inputs are made of. It is recorded in a folder with a name that tells nothing of this machine.
fn renew_run() -> Result<()> {
    artifacts::build()?;
    let folder = std::env::temp_dir().join("fuzzed-program");
    let inputs = paths::root().join("crates/fuzz/inputs");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    for file in ["main.js", "compiled.js"] {
        fs::copy(inputs.join("program").join(file), folder.join(file))?;
    }
    // The program fails, and so does the command that records it.
    let wherefore = || command(&folder, paths::wherefore());
    wherefore().args(["record", "--", "node", "main.js"]).status()?;
    // So that it has points and a question.
    execute(wherefore().arg("why"))?;
    execute(wherefore().args(["export", "--output"]).arg(inputs.join("run.wherefore")))?;
    fs::remove_dir_all(&folder)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_numbers_count() {
        let printed = "#2 INITED cov: 12 ft: 20\n#9 DONE   cov: 345 ft: 20\nstat::number_of_executed_units: 9\n";
        assert_eq!(number_behind(printed, " cov: "), 345);
        assert_eq!(number_behind(printed, "stat::number_of_executed_units: "), 9);
        assert_eq!(number_behind(printed, "nowhere"), 0);
    }
}
