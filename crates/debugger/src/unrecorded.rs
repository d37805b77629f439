//! A command as it is, for a front end that stands for it: with our input and output, and with the signals that are meant for it.

use std::process::Command;

use crate::{Error, RunOutcome};

/// How a command ended, and whether somebody wanted an end of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unrecorded {
    pub outcome: RunOutcome,
    pub is_interrupted: bool,
}

/// Runs a command unrecorded, and passes on the signals that are sent to this process.
pub fn run_unrecorded(command: &[String]) -> Result<Unrecorded, Error> {
    let [program, arguments @ ..] = command else { return Err(Error::Usage("there is no command".into())) };
    let signals = record::Signals::take_over();
    let started = Command::new(program).args(arguments).spawn();
    let mut child = started.map_err(|error| Error::Usage(format!("{program} cannot be started: {error}")))?;
    signals.pass_on_to(child.id());
    // One may have come before there was anybody to pass it on to.
    if signals.interrupted() {
        record::ask_to_end(child.id());
    }
    let status = child.wait();
    signals.pass_on_to_nobody();
    let status = status.map_err(Error::io(program.as_str()))?;
    Ok(Unrecorded { outcome: outcome_of(status), is_interrupted: signals.interrupted() })
}

fn outcome_of(status: std::process::ExitStatus) -> RunOutcome {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => RunOutcome::Exited(code),
        (None, signal) => RunOutcome::Killed { signal: signal.unwrap_or_default() },
    }
}
