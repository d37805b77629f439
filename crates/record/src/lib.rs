//! Starts programs under a policy and fills a run with what they do.
//!
//! The program runs as a child with its terminal, its signals and its exit code untouched, or with what a server gives it instead. Every Node process in it maps a
//! ring of event memory into the run folder; a thread here empties the rings into compressed trace files while it runs.
//!
//! Any number of programs can be recorded at once. What a process has only one of (its folder, its environment, its signals) is read
//! at most, but for signals where a front end hands them over ([`SignalsOf::TheProgram`]), and for [`end_like`] and [`give_way`].
//!
//! What is run many times for one question can be given the same input each time, a time to end in, and a driver.

#![deny(clippy::undocumented_unsafe_blocks)]

mod child;
mod drain;
mod environment;
mod expected;
mod feed;
mod folder;
mod input;
mod listening;
mod node;
mod output;
mod overseer;
mod packed_sites;
mod packing;
mod processes;
mod reporting;
mod signals;
mod sites;
mod spec;
mod stage;
mod still_running;
mod timing;
mod trial;

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use environment::Environment;
pub use folder::create_run;
use module_origin::Project;
pub use node::{Notes, TextChange, read_notes, write_preload};
pub use signals::{Signals, ask_to_end};
pub use spec::{
    Input, KeptInput, OnProgress, OnStarted, OnTestsOver, Output, Progress, RunSpec, SignalsOf, Sink, Staged, Stream,
    USUAL_LAYOUT,
};
pub use stage::{Apart, Stage, remove_tree};
pub use trace_format::{LiveReport, ProgramExit, StopAction, StopWish};
use trace_format::{RunFile, RunSettings, policy_text};
use trace_model::Policy;
pub use trial::{Trial, TrialEnding, Tried, try_out};

/// What came of it.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub run: PathBuf,
    pub outcome: ProgramExit,
    pub ending: Ending,
    pub kept_input: KeptInput,
    /// For the person: what was not recorded, and why.
    pub problems: Vec<String>,
    /// For the person: how the run went, where it did not go as it was meant to.
    pub notes: Vec<String>,
    /// For the person who asks what failed: why there is nothing to explain, as far as the end of the run tells.
    pub situation: Option<String>,
}

/// What brought a run to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The program ended by itself.
    Ended,
    /// It ran for longer than it might.
    TimedOut,
    /// Whoever had it recorded wanted no more of it.
    Cancelled,
    /// The person wanted it, with Ctrl-C or another signal that ends programs; the program may have ended as it likes.
    Interrupted,
    /// The driver ended, in this way.
    Driven { outcome: ProgramExit },
}

impl Ending {
    /// In run.txt: who ended the program, if it did not by itself.
    const KEY: &'static str = "ended-by";

    fn name(self) -> Option<&'static str> {
        match self {
            Ending::Ended => None,
            Ending::TimedOut => Some("timeout"),
            Ending::Cancelled => Some("cancel"),
            Ending::Interrupted => Some("signal"),
            Ending::Driven { .. } => Some("driver"),
        }
    }

    /// Whether a run was cancelled, as it says itself.
    pub fn is_cancelled(run: &RunFile) -> bool {
        let name = Ending::Cancelled.name();
        run.others.iter().any(|(key, value)| key == Ending::KEY && Some(value.as_str()) == name)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{}", no_run(folder, error))]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{}", not_started(command, error))]
    Start { command: String, error: io::Error },
    #[error("{} is not a folder that a program can be started in: {error}", folder.display())]
    StartFolder { folder: PathBuf, error: io::Error },
    #[error("the recording was cancelled before the program started")]
    Cancelled,
    #[error("{} is missing; build it with `cargo xtask build`", .0.display())]
    NoRuntime(PathBuf),
    #[error("cannot use {} for the input of the program: {error}", path.display())]
    Input { path: PathBuf, error: io::Error },
    #[error("cannot make a pipe for the input of the program: {0}")]
    InputPipe(io::Error),
    #[error("a driver can be started only on Linux, where it can be seen on which port a program listens")]
    NoDriver,
}

fn no_run(folder: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => {
            let needed = spec::memory_of_thread(&USUAL_LAYOUT);
            format!(
                "the disk of {} is full: each thread needs {needed} MB there while it is recorded",
                folder.display()
            )
        }
        _ => format!("cannot make a run under {}: {error}", folder.display()),
    }
}

fn not_started(command: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("no such command: {command}"),
        _ => format!("cannot start {command}: {error}"),
    }
}

/// Runs the command to its end. Its exit code or signal is in the result; see [`end_like`].
pub fn run(spec: &RunSpec) -> Result<Recorded, RecordError> {
    for file in ["preload.cjs", "wherefore.node"].map(|name| spec.runtime.join(name)) {
        if !file.exists() {
            return Err(RecordError::NoRuntime(file));
        }
    }
    if spec.drive.is_some() && !listening::CAN_TELL {
        return Err(RecordError::NoDriver);
    }
    let spec = &RunSpec { folder: start_folder(&spec.folder)?, ..spec.clone() };
    if spec.cancel.is_cancelled() {
        return Err(RecordError::Cancelled);
    }
    let in_folder = |error| RecordError::Folder { folder: spec.run.as_ref().unwrap_or(&spec.project).clone(), error };
    let run = match &spec.run {
        Some(run) => folder::create_empty(run),
        None => folder::create_run(&spec.project),
    };
    let run = run.map_err(in_folder)?;
    let mut run_file = RunFile {
        id: new_id(),
        language: RunFile::FIRST_LANGUAGE.to_owned(),
        command: spec.command.clone(),
        drive: spec.drive.clone(),
        folder: spec.start_folder().to_string_lossy().into_owned(),
        start: SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_micros() as u64),
        policy: spec.policy.clone(),
        outcome: None,
        n_events: None,
        others: Vec::new(),
    };
    let settings = settings(spec);
    let project = Project { roots: settings.roots.clone(), scripts: settings.scripts.clone() };
    let prepared = folder::write_settings(&run, &settings).and_then(|lock| {
        folder::write_run_file(&run, &run_file)?;
        Ok((lock, node::Lead::to(&run, &spec.runtime)?))
    });
    // Held until the run is whole; who finds it free knows that nobody records here any more.
    let (_lock, lead) = prepared.map_err(|error| {
        let _ = std::fs::remove_dir_all(&run);
        in_folder(error)
    })?;

    if let Some(OnStarted(told)) = &spec.started {
        told(&run);
    }
    expected::find(&run, project);
    let signals = (spec.signals == SignalsOf::TheProgram).then(Signals::take_over);
    let drain = drain::Drain::start(run.clone(), spec.keep_last, spec.progress.clone());
    let timing = timing::Timing::start(run.clone());
    let ran = child::run_to_end(spec, &run, &lead, signals.as_ref());
    let drained = drain.finish();
    // Before the lock goes: a run that is whole has its times.
    timing.finish();
    let ran = ran.inspect_err(|_| {
        // Nothing ran, so there is no run.
        let _ = std::fs::remove_dir_all(&run);
    })?;

    let mut notes = ran.notes;
    notes.extend(ran.relay.and_then(output::Relay::finish));
    notes.extend(drained.note);
    // Whoever presses Ctrl-C while the last of the run is written wants an end of it all the same.
    let ending = if signals.is_some_and(|signals| signals.interrupted()) { Ending::Interrupted } else { ran.ending };
    if ending == Ending::Interrupted {
        notes.push("the run was interrupted".into());
    }
    run_file.outcome = Some(ran.outcome);
    run_file.n_events = drained.n_events;
    run_file.others.extend(ending.name().map(|name| (Ending::KEY.into(), name.into())));
    let mut problems = drained.problems;
    if ran.is_restricted {
        problems.push("Node's permission model forbids addons: the program ran unrecorded".into());
    }
    problems.extend(ran.problems);
    let known: Vec<String> = trace_store::problems(&run).into_iter().chain(problems.iter().cloned()).collect();
    let of_node = node::problems(&run, spec, &known);
    // What explains most comes last.
    let situation = node::situation(&run, spec, ran.outcome, &[known, of_node.clone()].concat());
    problems.extend(of_node);
    let mut problems = folder::keep_problems(&run, problems);
    run_file.others.extend(situation.iter().map(|situation| (RunFile::SITUATION.into(), situation.replace('\n', " "))));
    if let Err(error) = folder::write_run_file(&run, &run_file) {
        problems.push(format!("run.txt cannot be written: {error}"));
    }
    Ok(Recorded { run, outcome: ran.outcome, ending, kept_input: ran.kept_input, problems, notes, situation })
}

/// As a UUID of version 4.
fn new_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Some(parts.join("-"))
}

/// Under the name by which the program will know it.
fn start_folder(folder: &Path) -> Result<PathBuf, RecordError> {
    let found = std::fs::canonicalize(folder).and_then(|found| match found.is_dir() {
        true => Ok(found),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    found.map_err(|error| RecordError::StartFolder { folder: folder.into(), error })
}

/// Ends this process as the program ended: with its exit code, or by its signal. For a front end that stands in for one program.
pub fn end_like(outcome: ProgramExit) -> ! {
    match outcome {
        ProgramExit::Exited(code) => std::process::exit(code),
        ProgramExit::Killed { signal } => signals::die_of(signal),
    }
}

/// Lets all other processes of this machine go before this one. For a process that does nothing else.
pub fn give_way() {
    // That it is not possible is no reason not to go on.
    let _ = rustix::process::setpriority_process(None, 19);
}

fn settings(spec: &RunSpec) -> RunSettings {
    let Project { roots, scripts } = module_origin::project::project_of(&spec.folder, &spec.command);
    RunSettings {
        roots,
        scripts,
        packages: spec.packages.clone(),
        has_tools: spec.has_tools,
        parent: std::process::id(),
        layout: spec.layout,
        policy: (spec.policy != Policy::full()).then(|| policy_text(&spec.policy)),
        include: spec.include.clone(),
        exclude: spec.exclude.clone(),
        stop: spec.stop.clone(),
        intervention: spec.intervention.clone(),
    }
}
