//! The program as a child: same terminal and process group unless it has neither our input nor our output, one more option for
//! every Node in it.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::channel;

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use trace_format::ProgramExit;

use crate::environment::Variables;
use crate::node::{Lead, RUN_VARIABLE, Watch, is_restricted};
use crate::output::{self, Relay};
use crate::overseer;
use crate::processes::Tree;
use crate::signals::Signals;
use crate::{Ending, KeptInput, RecordError, RunSpec, Staged, input, still_running};

/// A program that has ended.
pub struct Ran {
    pub outcome: ProgramExit,
    /// As far as it can be told here: not whether a person wanted it.
    pub ending: Ending,
    pub kept_input: KeptInput,
    /// Whether it ran unrecorded, as it could not have run otherwise.
    pub is_restricted: bool,
    /// Processes that it left behind may still print.
    pub relay: Option<Relay>,
    pub notes: Vec<String>,
    /// Processes that ran unrecorded.
    pub problems: Vec<String>,
}

pub fn run_to_end(spec: &RunSpec, run: &Path, lead: &Lead, signals: Option<&Signals>) -> Result<Ran, RecordError> {
    let not_run = |error| RecordError::Start { command: spec.command.first().cloned().unwrap_or_default(), error };
    let variables = spec.environment.variables();
    // The library looks by itself, at each Node.
    let is_restricted = !lead.has_library() && is_restricted(spec, &variables);
    let overseer = overseer::Prepared::for_run(spec, &variables);
    let (stdin, input) = input::prepare(&spec.input)?;
    let output::Prepared { stdout, stderr, relay } = output::prepare(&spec.output).map_err(not_run)?;
    let mut command = command(spec, (!is_restricted).then_some(lead), variables).map_err(not_run)?;
    command.stdin(stdin).stdout(stdout).stderr(stderr);
    let started = command.spawn();
    // While it held the stdin of the program, nobody could tell that the program closed it.
    drop(command);
    let mut child: Child = started.map_err(not_run)?;
    match (signals, &spec.staged) {
        (Some(signals), Some(_)) => signals.end_with_us(child.id()),
        (Some(signals), None) => signals.pass_on_to(child.id()),
        (None, _) => {}
    }
    let waited = std::thread::scope(|scope| {
        let nodes = (!is_restricted).then(|| Watch::of(child.id()));
        let tree = || Tree::of(child.id(), Some(mark_of(run)));
        let overseer = overseer.start(scope, tree(), nodes, signals);
        // Nothing is sent: that it goes away is the message.
        let (over, is_over) = channel::<()>();
        if let Some(told) = &spec.tests_over {
            let tree = tree();
            scope.spawn(move || still_running::watch(run, tree, told, &is_over));
        }
        wait_for_end(child.id());
        drop(over);
        if let Some(signals) = signals {
            signals.pass_on_to_nobody();
        }
        let (kept_input, problem) = input.finish();
        (overseer.finish(), kept_input, problem)
    });
    let (overseen, kept_input, problem) = waited;
    let outcome = outcome(child.wait().map_err(not_run)?);
    let notes = overseen.notes.into_iter().chain(problem).collect();
    Ok(Ran { outcome, ending: overseen.ending, kept_input, is_restricted, relay, notes, problems: overseen.problems })
}

fn command(spec: &RunSpec, lead: Option<&Lead>, mut variables: Variables) -> io::Result<Command> {
    let (program, args) = spec.command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut command = match &spec.staged {
        Some(Staged { stage, folder }) => stage.command(&spec.command, folder)?,
        None => {
            let mut command = Command::new(program);
            command.args(args).current_dir(&spec.folder);
            if spec.is_detached() {
                command.process_group(0);
            }
            command
        }
    };
    if let Some(lead) = lead {
        lead.put_into(&mut variables)?;
    }
    let of_stage = spec.staged.iter().flat_map(|staged| staged.stage.environment());
    of_stage.for_each(|(name, value)| variables.set(name, value));
    variables.give_to(&mut command)?;
    Ok(command)
}

fn mark_of(run: &Path) -> Vec<u8> {
    [RUN_VARIABLE.as_bytes(), b"=", run.as_os_str().as_bytes()].concat()
}

/// Leaves it unreaped: until then its number belongs to nobody else, and can be sent signals.
fn wait_for_end(pid: u32) {
    let Some(pid) = Pid::from_raw(pid as i32) else { return };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
}

pub(crate) fn outcome(status: ExitStatus) -> ProgramExit {
    match status.signal() {
        Some(signal) => ProgramExit::Killed { signal },
        None => ProgramExit::Exited(status.code().unwrap_or(0)),
    }
}
