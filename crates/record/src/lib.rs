//! Starts programs under a policy and fills a run with what they do.
//!
//! The program runs as a child with its terminal, its signals and its exit code untouched. Every Node process in it maps a
//! ring of event memory into the run folder; a thread here empties the rings into compressed trace files while it runs.

mod child;
mod drain;
mod folder;
mod signals;
mod sites;

use std::io;
use std::path::PathBuf;
use std::time::SystemTime;

pub use trace_format::Outcome;
use trace_format::{RingLayout, RunFile, RunSettings, policy_text};
use trace_model::Policy;

/// What to run and how.
#[derive(Clone, Debug)]
pub struct RunSpec {
    pub command: Vec<String>,
    /// Where `.wherefore` lies; the program itself starts in the current folder.
    pub folder: PathBuf,
    /// Where the run is kept, if not in the next folder there; must be empty, or not there yet.
    pub run: Option<PathBuf>,
    /// The folder of `preload.cjs` and the addon.
    pub runtime: PathBuf,
    pub policy: Policy,
    /// Patterns of a [`trace_format::FileFilter`]; nothing here: every file.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Keep only the newest part of each thread's trace, in bytes.
    pub keep_last: Option<u64>,
    /// The event memory of each thread.
    pub layout: RingLayout,
    /// Whether the program's own output goes to stderr, because an answer is to stand alone on stdout.
    pub output_to_stderr: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub run: PathBuf,
    pub outcome: Outcome,
    /// For the person: what was not recorded, and why.
    pub problems: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("cannot make a run under {}: {error}", folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{}", not_started(command, error))]
    Start { command: String, error: io::Error },
    #[error("{} is missing; build it with `cargo xtask build`", .0.display())]
    NoRuntime(PathBuf),
}

fn not_started(command: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("no such command: {command}"),
        _ => format!("cannot start {command}: {error}"),
    }
}

/// Four chunks of 4 MB: enough that the program seldom waits, little enough that a small process costs little.
pub const USUAL_LAYOUT: RingLayout = RingLayout { chunk_words: 1 << 20, n_chunks: 4 };

/// Runs the command to its end. Its exit code or signal is in the result; see [`end_like`].
pub fn run(spec: &RunSpec) -> Result<Recorded, RecordError> {
    let preload = spec.runtime.join("preload.cjs");
    for file in [&preload, &spec.runtime.join("wherefore.node")] {
        if !file.exists() {
            return Err(RecordError::NoRuntime(file.clone()));
        }
    }
    let in_folder = |error| RecordError::Folder { folder: spec.run.as_ref().unwrap_or(&spec.folder).clone(), error };
    let run = match &spec.run {
        Some(run) => folder::create_empty(run),
        None => folder::create_run(&spec.folder),
    };
    let run = run.map_err(in_folder)?;
    let mut run_file = RunFile {
        command: spec.command.clone(),
        folder: std::env::current_dir().map_err(in_folder)?.to_string_lossy().into_owned(),
        start: SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_micros() as u64),
        policy: spec.policy.clone(),
        outcome: None,
        n_events: None,
        others: Vec::new(),
    };
    let prepared = folder::write_settings(&run, &settings(spec))
        .and_then(|lock| folder::write_run_file(&run, &run_file).map(|()| lock));
    // Held until the run is whole; who finds it free knows that nobody records here any more.
    let _lock = prepared.map_err(|error| {
        let _ = std::fs::remove_dir_all(&run);
        in_folder(error)
    })?;

    let drain = drain::Drain::start(run.clone(), spec.keep_last);
    let outcome = child::run_to_end(spec, &run, &preload);
    let drained = drain.finish();
    let outcome = outcome.map_err(|error| {
        // Nothing ran, so there is no run.
        let _ = std::fs::remove_dir_all(&run);
        RecordError::Start { command: spec.command[0].clone(), error }
    })?;

    run_file.outcome = Some(outcome);
    run_file.n_events = drained.n_events;
    let mut problems = drained.problems;
    if child::is_restricted(spec) {
        problems.push("Node's permission model forbids addons: the program ran unrecorded".into());
    }
    if let Err(error) = folder::write_run_file(&run, &run_file) {
        problems.push(format!("run.txt cannot be written: {error}"));
    }
    Ok(Recorded { problems: folder::keep_problems(&run, problems), run, outcome })
}

/// Ends this process as the program ended: with its exit code, or by its signal.
pub fn end_like(outcome: Outcome) -> ! {
    match outcome {
        Outcome::Exited(code) => std::process::exit(code),
        Outcome::Killed { signal } => signals::die_of(signal),
    }
}

fn settings(spec: &RunSpec) -> RunSettings {
    RunSettings {
        parent: std::process::id(),
        layout: spec.layout,
        policy: (spec.policy != Policy::full()).then(|| policy_text(&spec.policy)),
        include: spec.include.clone(),
        exclude: spec.exclude.clone(),
    }
}
