use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use record::{Ending, Input, KeptInput, StopWish};
use trace_format::{FileFilter, Outcome};
use trace_model::Policy;
use trace_store::{Run, Runs};

use crate::indexing::is_missed;
use crate::not_captured::not_captured_with;
use crate::policy_names::names_without_effect;
use crate::run_list::count_events;
use crate::{Error, NotCaptured, RunOutcome, runtime_folder};

/// The policy that clauses of text describe; the full one if there are none.
pub fn policy(clauses: &[String]) -> Result<Policy, Error> {
    match clauses {
        [] => Ok(Policy::full()),
        clauses => Ok(trace_format::parse_policy(&clauses.join(" "))?),
    }
}

/// What to run, and how to record it.
#[derive(Clone, Debug)]
pub struct RecordRequest {
    pub command: Vec<String>,
    /// Where the run is kept; the next number of the project if `None`.
    pub run_folder: Option<PathBuf>,
    pub policy: Policy,
    /// Globs over paths; nothing: every file.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// About so many bytes of the newest events are kept.
    pub keep_last: Option<u64>,
    /// Whether the program's own output goes to stderr, because an answer is to stand alone on stdout.
    pub output_to_stderr: bool,
    /// What the program reads from its stdin.
    pub input: Input,
    /// After this time the program and its children are stopped.
    pub timeout: Option<Duration>,
    /// A shell command that starts when the program listens on a TCP port, which is its `PORT`. When it ends, the program is
    /// stopped.
    pub drive: Option<String>,
    /// A point at which to stop while it runs; see [`crate::pause`] and [`crate::evaluate_live`].
    pub stop: Option<StopWish>,
}

impl RecordRequest {
    /// All of it, as the next run of the project.
    pub fn of(command: Vec<String>) -> RecordRequest {
        RecordRequest {
            command,
            run_folder: None,
            policy: Policy::full(),
            include: Vec::new(),
            exclude: Vec::new(),
            keep_last: None,
            output_to_stderr: false,
            input: Input::Inherit,
            timeout: None,
            drive: None,
            stop: None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Recorded {
    pub folder: PathBuf,
    pub outcome: RunOutcome,
    pub ending: Ending,
    pub kept_input: KeptInput,
    /// All events that were recorded.
    pub n_events: u64,
    /// Those of them that are kept: all, but for `keep_last`.
    pub n_kept: u64,
    /// Bytes on disk.
    pub size: u64,
    /// Whether it is so large that its index should be made before the first question; see [`crate::write_index`].
    pub needs_index: bool,
    /// Files, and constructs in files, that ran as they are.
    pub not_captured: Vec<NotCaptured>,
    /// What else could not be recorded, or read again; how the run went, where it did not go as it was meant to.
    pub notes: Vec<String>,
}

/// Runs a command and records it. Its output is that of this process, and so is its input unless the request says
/// otherwise. `folder` is that of the user.
pub fn record(request: &RecordRequest, folder: &Path) -> Result<Recorded, Error> {
    // The program would find out only when it loads its first file.
    FileFilter::new(&request.include, &request.exclude)?;
    let recorded = record::run(&record::RunSpec {
        run: request.run_folder.clone(),
        policy: request.policy.clone(),
        include: request.include.clone(),
        exclude: request.exclude.clone(),
        keep_last: request.keep_last,
        output_to_stderr: request.output_to_stderr,
        input: request.input.clone(),
        timeout: request.timeout,
        drive: request.drive.clone(),
        stop: request.stop.clone(),
        ..record::RunSpec::new(request.command.clone(), Runs::around(folder).project().into(), runtime_folder()?)
    })?;
    let outcome = recorded.outcome.into();
    let (ending, kept_input) = (recorded.ending, recorded.kept_input);
    let run = match Run::open(&recorded.run) {
        Ok(run) => run,
        // Whatever became of the run, the program ended as it ended.
        Err(error) => {
            let notes = recorded.problems.into_iter().chain(recorded.notes).chain([error.to_string()]).collect();
            let not_captured = Vec::new();
            return Ok(Recorded {
                outcome,
                ending,
                kept_input,
                n_events: 0,
                n_kept: 0,
                size: 0,
                needs_index: false,
                folder: recorded.run,
                not_captured,
                notes,
            });
        }
    };
    let (not_captured, notes_of_run) = not_captured_with(&run, &recorded.problems);
    let (not_captured, others): (Vec<_>, Vec<_>) = not_captured.into_iter().partition(|it| it.file.is_some());
    let mut notes: Vec<String> = others.into_iter().map(|it| it.reason).chain(notes_of_run).collect();
    notes.extend(recorded.notes);
    notes.extend(names_without_effect(&run, &request.policy));
    let narrowed = !request.include.is_empty() || !request.exclude.is_empty();
    if narrowed && fs::read_dir(recorded.run.join("code")).map_or(0, Iterator::count) == 0 {
        notes.push("no code was recorded: --include and --exclude leave none of what the program loaded".into());
    }
    let n_events = count_events(&run);
    let n_dropped: u64 = run.threads().iter().map(|thread| thread.first_event().0).sum();
    Ok(Recorded {
        outcome,
        ending,
        kept_input,
        n_events,
        n_kept: n_events.saturating_sub(n_dropped),
        size: run.size(),
        needs_index: is_missed(&run),
        folder: recorded.run,
        not_captured,
        notes,
    })
}

/// Ends this process as the recorded one ended: with its exit code, or by its signal.
pub fn end_like(outcome: RunOutcome) -> ! {
    match outcome {
        RunOutcome::Exited(code) => record::end_like(Outcome::Exited(code)),
        RunOutcome::Killed { signal } => record::end_like(Outcome::Killed { signal }),
        RunOutcome::Running | RunOutcome::Unfinished => unreachable!("a command that was waited for has ended"),
    }
}
