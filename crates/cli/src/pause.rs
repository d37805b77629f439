//! Runs a program again until it comes to a point, and has it halt there.

use std::process::ExitCode;
use std::time::Duration;

use debugger::{Control, LiveError, PointText, Question, QuestionKind, Rerun, RunChoice, Where};

use crate::ANSWERED;
use crate::args::CodeArgs;
use crate::failure::{Failure, current_folder};
use crate::tell;
use crate::text::parse_duration;

#[derive(clap::Args)]
pub struct PauseArgs {
    /// Where: P3, app.js:22#3, crash, out:3
    pub point: PointText,
    /// Of a line, the newest of its times at which this expression was true
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub when: Option<String>,
    /// The run that the point is of: its number or folder; the latest if left out
    #[arg(long, value_name = "RUN", conflicts_with = "command")]
    pub run: Option<String>,
    /// Stop the program after this time: 30s, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Start this command when the program listens on a port (its $PORT), and stop the program when it ends
    #[arg(long, value_name = "COMMAND")]
    pub drive: Option<String>,
    #[command(flatten)]
    pub code: CodeArgs,
    /// The command; that of the run if left out
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

pub fn run(args: PauseArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    let rerun = Rerun {
        command: args.command,
        question: Question {
            kind: QuestionKind::Here,
            from: Where { at: Some(args.point), when: args.when, ..Where::default() },
        },
        origin: RunChoice(args.run),
        timeout: args.timeout,
        drive: args.drive,
        signals: debugger::SignalsOf::TheProgram,
        surroundings: debugger::Surroundings::of_command_line(),
        code: args.code.given(),
    };
    let ended = rerun.pause(&folder, &Control::default(), |halted, difference| {
        let function = if halted.function.is_empty() { String::new() } else { format!(" in {}", halted.function) };
        tell::note(format_args!("the program halts at {}:{}{function}", halted.file, halted.line));
        tell::line(format_args!("  Chrome: open {}", halted.devtools_url()));
        tell::line(format_args!(
            "  VS Code: attach to {} (Debug: Attach to Node Process, or \"port\" in launch.json)",
            halted.host_and_port()
        ));
        tell::notes(difference);
    });
    let ended = ended.map_err(failure)?;
    tell::notes(&ended.recorded.notes);
    Ok(ANSWERED)
}

/// What became of stopping a program.
pub fn failure(error: LiveError) -> Failure {
    match error {
        LiveError::Run(error) => error.into(),
        LiveError::SideEffect { .. } => Failure::wrong_usage(error.to_string()),
        LiveError::Threw { .. } | LiveError::NotReached { .. } => {
            Failure { message: error.to_string(), code: crate::NONE }
        }
        LiveError::Moved { .. } | LiveError::Failed { .. } => Failure::could_not_run(error.to_string()),
    }
}
