use std::fs;
use std::path::{Path, PathBuf};

use trace_format::Outcome;
use trace_model::Policy;
use trace_store::{Run, Runs};

use crate::run_list::count_events;
use crate::{Error, RunOutcome, runtime_folder};

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
}

#[derive(Clone, Debug)]
pub struct Recorded {
    pub folder: PathBuf,
    pub outcome: RunOutcome,
    /// All events that were recorded.
    pub n_events: u64,
    /// Those of them that are kept: all, but for `keep_last`.
    pub n_kept: u64,
    /// Bytes on disk.
    pub size: u64,
    /// What could not be recorded, or read again.
    pub notes: Vec<String>,
}

/// Runs a command and records it. Its input and output are those of this process. `folder` is that of the user.
pub fn record(request: &RecordRequest, folder: &Path) -> Result<Recorded, Error> {
    let recorded = record::run(&record::RunSpec {
        command: request.command.clone(),
        folder: Runs::around(folder).project().into(),
        run: request.run_folder.clone(),
        runtime: runtime_folder()?,
        policy: request.policy.clone(),
        include: request.include.clone(),
        exclude: request.exclude.clone(),
        keep_last: request.keep_last,
        output_to_stderr: false,
    })?;
    let mut notes = recorded.problems;
    let outcome = recorded.outcome.into();
    let run = match Run::open(&recorded.run) {
        Ok(run) => run,
        // Whatever became of the run, the program ended as it ended.
        Err(error) => {
            notes.push(error.to_string());
            return Ok(Recorded { outcome, n_events: 0, n_kept: 0, size: 0, folder: recorded.run, notes });
        }
    };
    notes.extend_from_slice(run.notes());
    let narrowed = !request.include.is_empty() || !request.exclude.is_empty();
    if narrowed && fs::read_dir(recorded.run.join("code")).map_or(0, Iterator::count) == 0 {
        notes.push("no code was recorded: --include and --exclude leave none of what the program loaded".into());
    }
    let n_events = count_events(&run);
    let n_dropped: u64 = run.threads().iter().map(|thread| thread.first_event().0).sum();
    Ok(Recorded {
        outcome,
        n_events,
        n_kept: n_events.saturating_sub(n_dropped),
        size: run.size(),
        folder: recorded.run,
        notes,
    })
}

/// Ends this process as the recorded one ended: with its exit code, or by its signal.
pub fn end_like(outcome: RunOutcome) -> ! {
    match outcome {
        RunOutcome::Exited(code) => record::end_like(Outcome::Exited(code)),
        RunOutcome::Killed { signal } => record::end_like(Outcome::Killed { signal }),
        RunOutcome::Unfinished => unreachable!("a command that was waited for has ended"),
    }
}
