//! `wherefore ci`: a command as it is; only one that fails is run again recorded, and what is found goes where CI shows it.

mod report;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};

use debugger::{
    Ending, Input, Output, RecordRequest, Recorded, ReportFolder, RunChoice, RunOutcome, Session, SignalsOf,
};

use crate::ANSWERED;
use crate::args::CodeArgs;
use crate::failure::{Failure, current_folder};
use crate::tell;
use report::Report;

#[derive(clap::Args)]
pub struct CiArgs {
    /// Record it up to so many times, until one run fails and one passes, and tell the first difference that matters
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,
    /// The folder of the report, to be downloaded
    #[arg(long, value_name = "DIR", default_value = "wherefore-report")]
    pub report: PathBuf,
    /// Where the explanation is added as Markdown, beside the report
    // Not as a path, of which clap refuses an empty one: a variable that is set to nothing names no file.
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY")]
    pub summary: Option<OsString>,
    #[command(flatten)]
    pub code: CodeArgs,
    /// The command
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Ends as the command ended, when it was run as it is.
pub fn run(args: CiArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    ReportFolder::check(&folder.join(&args.report), report::is_ours)?;
    let outcome = plain(&args.command)?;
    if outcome == RunOutcome::Exited(0) {
        return Ok(ANSWERED);
    }
    // Whatever becomes of the report, the command failed.
    if let Err(failure) = explain(&args, &folder, outcome) {
        tell::note(failure.message);
    }
    debugger::end_like(outcome)
}

/// With our input and output, and without anything of ours.
fn plain(command: &[String]) -> Result<RunOutcome, Failure> {
    let [program, arguments @ ..] = command else { return Err(Failure::wrong_usage("there is no command")) };
    let status = Command::new(program).args(arguments).status();
    let status = status.map_err(|error| Failure::could_not_run(format!("{program} cannot be started: {error}")))?;
    Ok(outcome_of(status))
}

fn outcome_of(status: std::process::ExitStatus) -> RunOutcome {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => RunOutcome::Exited(code),
        (None, signal) => RunOutcome::Killed { signal: signal.unwrap_or_default() },
    }
}

fn explain(args: &CiArgs, folder: &Path, outcome: RunOutcome) -> Result<(), Failure> {
    let report = ReportFolder::create(&folder.join(&args.report), report::is_ours)?;
    let recordings = record(args, folder, &report)?;
    let report = Report { command: &args.command, outcome, recordings: &recordings, folder: &report };
    report.write(args.summary.as_deref().filter(|summary| !summary.is_empty()).map(Path::new))
}

/// What was recorded: one run that failed, and one that passed, as far as they came.
struct Recordings {
    n_runs: u32,
    failed: Option<Session>,
    passed: Option<Session>,
    notes: Vec<String>,
}

fn record(args: &CiArgs, folder: &Path, report: &ReportFolder) -> Result<Recordings, Failure> {
    let mut all = Recordings { n_runs: 0, failed: None, passed: None, notes: Vec::new() };
    while all.n_runs < args.runs && (all.failed.is_none() || args.runs > 1 && all.passed.is_none()) {
        all.n_runs += 1;
        match args.runs {
            1 => tell::note("it failed: it is run again and recorded"),
            most => {
                tell::note(format_args!("it failed: it is run again and recorded ({} of at most {most})", all.n_runs))
            }
        }
        let recorded = record_once(args, folder, report, all.n_runs)?;
        if recorded.ending == Ending::Interrupted {
            return Err(Failure::could_not_run("this was interrupted"));
        }
        let session = Session::open(&RunChoice(Some(recorded.folder.display().to_string())), folder)?;
        match recorded.outcome {
            RunOutcome::Exited(0) => all.passed.get_or_insert(session),
            _ => all.failed.get_or_insert(session),
        };
        all.notes.extend(recorded.notes);
    }
    all.notes.dedup();
    Ok(all)
}

/// What it prints was printed once already: it goes to a file of the report.
fn record_once(args: &CiArgs, folder: &Path, report: &ReportFolder, number: u32) -> Result<Recorded, Failure> {
    let printed = Arc::new(Mutex::new(Vec::new()));
    let sink = printed.clone();
    let request = RecordRequest {
        input: Input::Nothing,
        output: Output::Sink(Arc::new(move |_, bytes| {
            let mut printed = sink.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            // A program that prints without end must not fill the memory.
            let room = MOST_PRINTED.saturating_sub(printed.len());
            printed.extend_from_slice(&bytes[..bytes.len().min(room)]);
        })),
        signals: SignalsOf::TheProgram,
        code: args.code.recorded(),
        ..RecordRequest::of(args.command.clone())
    };
    let recorded = debugger::record(&request, folder)?;
    let printed = printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    report.write(&format!("output-{number}.txt"), &String::from_utf8_lossy(&printed))?;
    Ok(recorded)
}

const MOST_PRINTED: usize = 16 << 20;
