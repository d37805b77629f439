//! `wherefore ci`: a command as it is; only one that fails is run again recorded, and what is found goes where CI shows it.

mod formats;
mod report;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use debugger::{
    Ending, Input, Output, RecordRequest, Recorded, ReportFolder, RunChoice, RunOutcome, Session, SignalsOf,
};

use crate::ANSWERED;
use crate::args::CodeArgs;
use crate::failure::{Failure, current_folder};
use crate::tell;
use crate::text::parse_duration;
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
    /// Stop a recorded run after this time; ten times as long as the command took, and at least 5m, if left out
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Also write all tests of the recorded run, those that passed too, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// The same as CTRF JSON
    #[arg(long, value_name = "FILE")]
    pub ctrf: Option<PathBuf>,
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
    let start = Instant::now();
    let plain = debugger::run_unrecorded(&args.command);
    let plain = plain.map_err(|error| Failure::could_not_run(error.to_string()))?;
    // Whoever wanted an end of it wants no second run.
    if plain.is_interrupted {
        debugger::end_like(plain.outcome)
    }
    if plain.outcome == RunOutcome::Exited(0) {
        for file in [&args.junit, &args.ctrf].into_iter().flatten() {
            tell::note(format_args!("{} is not written: the command passed, so it was not recorded", file.display()));
        }
        return Ok(ANSWERED);
    }
    let timeout = args.timeout.unwrap_or_else(|| LEAST_TIMEOUT.max(start.elapsed() * 10));
    // Whatever becomes of the report, the command failed.
    if let Err(failure) = explain(&args, &folder, plain.outcome, timeout) {
        tell::note(failure.message);
    }
    debugger::end_like(plain.outcome)
}

const LEAST_TIMEOUT: Duration = Duration::from_secs(300);

fn explain(args: &CiArgs, folder: &Path, outcome: RunOutcome, timeout: Duration) -> Result<(), Failure> {
    let report = ReportFolder::create(&folder.join(&args.report), report::is_ours)?;
    let recordings = record(args, folder, timeout)?;
    let report = Report { args, outcome, recordings: &recordings, here: folder, folder: &report };
    report.write(args.summary.as_deref().filter(|summary| !summary.is_empty()).map(Path::new))
}

/// What was recorded: one run that failed, and one that passed, as far as they came.
struct Recordings {
    n_runs: u32,
    failed: Option<Session>,
    passed: Option<Session>,
    /// What each printed.
    printed: Vec<String>,
    notes: Vec<String>,
}

fn record(args: &CiArgs, folder: &Path, timeout: Duration) -> Result<Recordings, Failure> {
    let mut all = Recordings { n_runs: 0, failed: None, passed: None, printed: Vec::new(), notes: Vec::new() };
    while all.n_runs < args.runs && (all.failed.is_none() || args.runs > 1 && all.passed.is_none()) {
        all.n_runs += 1;
        match args.runs {
            1 => tell::note("it failed: it is run again and recorded"),
            most => {
                tell::note(format_args!("it failed: it is run again and recorded ({} of at most {most})", all.n_runs))
            }
        }
        let (recorded, printed) = record_once(args, folder, timeout)?;
        all.printed.push(printed);
        if recorded.ending == Ending::Interrupted {
            return Err(Failure::could_not_run("this was interrupted"));
        }
        if recorded.ending == Ending::TimedOut {
            all.notes.push(format!(
                "recorded, it ran for longer than {} s and was stopped: --timeout gives it more time",
                timeout.as_secs()
            ));
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
fn record_once(args: &CiArgs, folder: &Path, timeout: Duration) -> Result<(Recorded, String), Failure> {
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
        timeout: Some(timeout),
        code: args.code.recorded(),
        ..RecordRequest::of(args.command.clone())
    };
    let recorded = debugger::record(&request, folder)?;
    let printed = printed.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    Ok((recorded, String::from_utf8_lossy(&printed).into_owned()))
}

const MOST_PRINTED: usize = 16 << 20;
