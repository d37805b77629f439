use std::fs;
use std::path::{Path, PathBuf};

use record::{RecordError, StopWish};
use trace_format::{FileFilter, ProgramExit};
use trace_store::Runs;

use crate::indexing::is_missed;
use crate::languages::open_run;
use crate::not_captured::not_captured_with;
use crate::policy_names::names_without_effect;
use crate::record_request::seen_from;
use crate::run_list::count_events;
use crate::tools::told_of_tools;
use crate::{
    Error, KeptInput, NotCaptured, OnProgress, OnStarted, OnTestsOver, RecordRequest, RunOutcome, runtime_folder,
};

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
    /// Why no code was recorded, if none was; also among the notes.
    pub nothing: Option<String>,
}

/// What brought a run to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The program ended by itself.
    Ended,
    /// It ran for longer than it might.
    TimedOut,
    /// Whoever had it recorded cancelled it.
    Cancelled,
    /// The person wanted it, with Ctrl-C or another signal that ends programs; the program may have ended as it likes. Told only
    /// where signals belong to the program.
    Interrupted,
    /// The driver ended, in this way.
    Driven(RunOutcome),
}

/// Runs a command to its end and records it. `folder` is that of the user: the run belongs to the project around it, and the program
/// starts there unless the request says otherwise.
pub fn record(request: &RecordRequest, folder: &Path) -> Result<Recorded, Error> {
    record_stopping(request, None, folder)
}

/// As [`record`], with a point at which to stop while it runs.
pub(crate) fn record_stopping(
    request: &RecordRequest,
    stop: Option<StopWish>,
    folder: &Path,
) -> Result<Recorded, Error> {
    // The program would find out only when it loads its first file.
    let code = &request.code;
    FileFilter::new(&code.include, &code.exclude)?;
    let recorded = record::run(&record::RunSpec {
        project: Runs::around(folder).project().into(),
        environment: request.environment.to_record(),
        run: request.run_folder.as_ref().map(|run| seen_from(folder, run)),
        policy: request.policy.0.clone(),
        include: code.include.clone(),
        exclude: code.exclude.clone(),
        packages: code.packages.clone(),
        has_tools: code.tools,
        keep_last: request.keep_last,
        input: request.input.to_record(folder),
        output: request.output.to_record(),
        signals: request.signals.into(),
        timeout: request.timeout,
        cancel: request.cancel.0.clone(),
        started: request.started.as_ref().map(OnStarted::to_record),
        progress: request.progress.as_ref().map(OnProgress::to_record),
        tests_over: request.tests_over.as_ref().map(OnTestsOver::to_record),
        drive: request.drive.clone(),
        stop,
        ..record::RunSpec::new(
            request.command.clone(),
            request.folder.as_ref().map_or(folder.into(), |start| seen_from(folder, start)),
            runtime_folder()?,
        )
    });
    let recorded = recorded.map_err(|error| match (error, &request.run_folder) {
        // Called as it was given.
        (RecordError::Folder { error, .. }, Some(run)) => RecordError::Folder { folder: run.clone(), error },
        (error, _) => error,
    })?;
    let outcome = recorded.outcome.into();
    let (ending, kept_input) = (recorded.ending.into(), recorded.kept_input.into());
    let run = match open_run(&recorded.run) {
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
                nothing: None,
            });
        }
    };
    let (not_captured, notes_of_run) = not_captured_with(&run, &recorded.problems);
    let (not_captured, others): (Vec<_>, Vec<_>) = not_captured.into_iter().partition(|it| it.file.is_some());
    let mut notes: Vec<String> = others.into_iter().map(|it| it.reason).chain(notes_of_run).collect();
    notes.extend(recorded.notes);
    let has_code = fs::read_dir(recorded.run.join("code")).is_ok_and(|mut code| code.next().is_some());
    let nothing = recorded.situation.filter(|_| !has_code);
    match &nothing {
        // What was left out is no news then.
        Some(nothing) => notes.extend(Some(nothing.clone()).filter(|nothing| !notes.contains(nothing))),
        None => notes.extend(told_of_tools(&run)),
    }
    notes.extend(names_without_effect(&run, &request.policy.0));
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
        nothing,
    })
}

impl From<record::Ending> for Ending {
    fn from(ending: record::Ending) -> Ending {
        match ending {
            record::Ending::Ended => Ending::Ended,
            record::Ending::TimedOut => Ending::TimedOut,
            record::Ending::Cancelled => Ending::Cancelled,
            record::Ending::Interrupted => Ending::Interrupted,
            record::Ending::Driven { outcome } => Ending::Driven(outcome.into()),
        }
    }
}

/// Ends this process as the recorded one ended: with its exit code, or by its signal.
pub fn end_like(outcome: RunOutcome) -> ! {
    match outcome {
        RunOutcome::Exited(code) => record::end_like(ProgramExit::Exited(code)),
        RunOutcome::Killed { signal } => record::end_like(ProgramExit::Killed { signal }),
        RunOutcome::Running | RunOutcome::Unfinished => unreachable!("a command that was waited for has ended"),
    }
}
