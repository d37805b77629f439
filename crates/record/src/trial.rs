//! One run of an experiment: on a stage, unrecorded, with a limit of time and memory, its output kept.

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use trace_format::ProgramExit;

use crate::child::outcome;
use crate::environment::Environment;
use crate::node::load_first;
use crate::processes::{Tree, memory_of};
use crate::stage::Stage;

/// What to run.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    pub command: &'a [String],
    /// Where the program starts, in the project as it is.
    pub folder: PathBuf,
    pub stage: &'a Stage,
    /// What every Node of it loads first; nothing: the program as it is.
    pub preload: Option<PathBuf>,
    /// What it reads from its stdin; nothing: nothing.
    pub input: Option<PathBuf>,
    pub timeout: Duration,
    /// In bytes, all its processes together.
    pub memory: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    pub outcome: ProgramExit,
    pub ending: TrialEnding,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialEnding {
    Ended,
    TimedOut,
    TookTooMuchMemory,
    /// The person wants no more, or somebody else said that it is enough.
    Interrupted,
}

/// Runs it to its end, and ends whatever is left of it. `is_enough` is asked meanwhile.
pub fn try_out(trial: &Trial, is_enough: &dyn Fn() -> bool) -> io::Result<Tried> {
    let mut command = trial.stage.command(trial.command, &trial.folder)?;
    let mut variables = Environment::default().variables();
    trial.stage.environment().into_iter().for_each(|(name, value)| variables.set(name, value));
    if let Some(preload) = &trial.preload {
        load_first(&mut variables, preload)?;
    }
    variables.give_to(&mut command)?;
    let input = match &trial.input {
        Some(path) => Stdio::from(std::fs::File::open(path)?),
        None => Stdio::null(),
    };
    let since = Instant::now();
    let mut child = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // The command holds our ends of nothing, but its memory is not needed any more.
    drop(command);
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    // What leaves the group still has this in its environment.
    let mark = trial.stage.environment().into_iter().next().map(|(name, value)| format!("{name}={}", value.display()));
    let mut tree = Tree::of(child.id(), mark.map(String::into_bytes));
    let (ending, elapsed) = wait(trial, &mut child, &mut tree, since, is_enough)?;
    kill_group(child.id());
    let ended = child.wait()?;
    // What it started may have left its group.
    tree.kill();
    Ok(Tried { outcome: outcome(ended), ending, stdout: text(stdout), stderr: text(stderr), elapsed })
}

fn wait(
    trial: &Trial,
    child: &mut Child,
    tree: &mut Tree,
    since: Instant,
    is_enough: &dyn Fn() -> bool,
) -> io::Result<(TrialEnding, Duration)> {
    let mut looked = Instant::now();
    loop {
        if has_ended(child.id())? {
            return Ok((TrialEnding::Ended, since.elapsed()));
        }
        if is_enough() {
            return Ok((TrialEnding::Interrupted, since.elapsed()));
        }
        if since.elapsed() > trial.timeout {
            return Ok((TrialEnding::TimedOut, since.elapsed()));
        }
        if looked.elapsed() > LOOKING {
            looked = Instant::now();
            if tree.living().into_iter().map(memory_of).sum::<u64>() > trial.memory {
                return Ok((TrialEnding::TookTooMuchMemory, since.elapsed()));
            }
        }
        thread::sleep(if since.elapsed() < Duration::from_secs(1) { SHORT } else { SHORT * 5 });
    }
}

/// Leaves it unreaped: until then its group belongs to nobody else.
fn has_ended(pid: u32) -> io::Result<bool> {
    let Some(pid) = Pid::from_raw(pid as i32) else { return Ok(true) };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    Ok(waitid(WaitId::Pid(pid), options)?.is_some())
}

/// The group is the one that was made for the program.
fn kill_group(pid: u32) {
    if let Some(group) = Pid::from_raw(pid as i32) {
        // It may have ended as a whole.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The first so many bytes; the rest is read and forgotten, so that the program does not wait.
fn collect(from: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 16];
        let Some(mut from) = from else { return kept };
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            let room = MOST_OUTPUT.saturating_sub(kept.len());
            kept.extend_from_slice(&buffer[..n.min(room)]);
        }
        kept
    })
}

fn text(collected: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&collected.join().unwrap_or_default()).into_owned()
}

const SHORT: Duration = Duration::from_millis(1);
const LOOKING: Duration = Duration::from_millis(100);
const MOST_OUTPUT: usize = 8 << 20;
