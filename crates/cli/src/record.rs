use std::path::Path;
use std::process::ExitCode;

use debugger::{RecordRequest, SignalsOf};

use crate::args::{CodeArgs, RecordArgs};
use crate::failure::{Failure, current_folder};
use crate::text::{grouped, size};
use crate::{NONE, indexing, not_captured, tell};

/// Records a command that questions will be asked about, and says how that went. Gives the name of the run.
pub fn recorded_for_questions(command: &[String], code: &CodeArgs, folder: &Path) -> Result<String, Failure> {
    let request =
        RecordRequest { code: code.recorded(), signals: SignalsOf::TheProgram, ..RecordRequest::of(command.to_vec()) };
    let recorded = debugger::record(&request, folder)?;
    tell::notes(recorded.notes.iter().filter(|note| Some(*note) != recorded.nothing.as_ref()));
    if let Some(message) = recorded.nothing {
        return Err(Failure { message, code: NONE });
    }
    tell::notes(not_captured::summary(&recorded.not_captured, None));
    let number = recorded.folder.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(number.unwrap_or_default())
}

/// Ends as the command ended: with its exit code, or by its signal.
pub fn run(args: RecordArgs) -> Result<ExitCode, Failure> {
    let folder = current_folder()?;
    let run_dir = args.run_dir.as_ref().map(|folder| folder.display().to_string());
    let request = RecordRequest {
        run_folder: args.run_dir,
        policy: debugger::policy(&args.policy)?,
        code: args.code.recorded(),
        keep_last: args.keep_last,
        signals: SignalsOf::TheProgram,
        ..RecordRequest::of(args.command)
    };
    let recorded = debugger::record(&request, &folder)?;
    tell::notes(&recorded.notes);
    tell::notes(not_captured::summary(&recorded.not_captured, run_dir.as_deref()));
    let shown = recorded.folder.strip_prefix(&folder).unwrap_or(&recorded.folder);
    let events = match recorded.n_kept == recorded.n_events {
        true => grouped(recorded.n_events),
        false => format!("the last {} of {}", grouped(recorded.n_kept), grouped(recorded.n_events)),
    };
    tell::note(format_args!("{events} events, {} in {}", size(recorded.size), shown.display()));
    if recorded.needs_index {
        indexing::start(&recorded.folder);
    }
    debugger::end_like(recorded.outcome)
}
