//! The program as a child: same terminal, same process group, one more option for every Node in it.

use std::env;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use trace_format::Outcome;

use crate::overseer::{self, Overseen, Overseer};
use crate::processes::Tree;
use crate::signals::Signals;
use crate::{Ending, KeptInput, RecordError, RunSpec, Staged, input};

/// A program that has ended.
pub struct Ran {
    pub outcome: Outcome,
    /// As far as it can be told here: not whether a person wanted it.
    pub ending: Ending,
    pub kept_input: KeptInput,
    pub notes: Vec<String>,
}

pub fn run_to_end(spec: &RunSpec, run: &Path, preload: &Path, signals: &Signals) -> Result<Ran, RecordError> {
    let (stdin, input) = input::prepare(&spec.input)?;
    let overseer = overseer::Prepared::for_run(spec);
    let not_run = |error| RecordError::Start { command: spec.command.first().cloned().unwrap_or_default(), error };
    let mut child = start(spec, run, preload, stdin).map_err(not_run)?;
    match &spec.staged {
        Some(_) => signals.end_with_us(child.id()),
        None => signals.pass_on_to(child.id()),
    }
    let overseer = overseer.map(|it| it.start(Tree::of(child.id(), Some(mark_of(run)))));

    wait_for_end(child.id());
    signals.pass_on_to_nobody();
    let (kept_input, problem) = input.finish();
    let overseen = overseer.map_or(Overseen { ending: Ending::Ended, notes: Vec::new() }, Overseer::finish);
    let outcome = outcome(child.wait().map_err(not_run)?);
    let notes = overseen.notes.into_iter().chain(problem).collect();
    Ok(Ran { outcome, ending: overseen.ending, kept_input, notes })
}

fn start(spec: &RunSpec, run: &Path, preload: &Path, stdin: Stdio) -> io::Result<Child> {
    let (program, args) = spec.command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut command = match &spec.staged {
        Some(Staged { stage, folder }) => stage.command(&spec.command, folder)?,
        None => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
    };
    command.stdin(stdin);
    if !is_restricted(spec) {
        let mut ours = vec![("NODE_OPTIONS", node_options(preload)?.into()), (RUN_VARIABLE, run.into())];
        ours.extend(spec.staged.iter().flat_map(|staged| staged.stage.environment()));
        start_with(&mut command, Environment::with(ours)?);
    }
    if spec.staged.is_some() {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    } else if spec.output_to_stderr {
        command.stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?));
    }
    // The command goes with the end of this: while it held the stdin of the program, nobody could tell that the program
    // closed it.
    command.spawn()
}

/// Where the recorded processes write. All of them have it, so it also tells which they are.
const RUN_VARIABLE: &str = "WHEREFORE_RUN";

fn mark_of(run: &Path) -> Vec<u8> {
    [RUN_VARIABLE.as_bytes(), b"=", run.as_os_str().as_bytes()].concat()
}

/// Leaves it unreaped: until then its number belongs to nobody else, and can be sent signals.
fn wait_for_end(pid: u32) {
    // SAFETY: all of zeros is a valid `siginfo_t`, and the call fills it.
    let wait = || unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT)
    };
    while wait() < 0 && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {}
}

/// Whether Node's permission model is asked for: it forbids addons, and would stop the program at our preload.
pub fn is_restricted(spec: &RunSpec) -> bool {
    let options = env::var("NODE_OPTIONS").unwrap_or_default();
    let words = spec.command.iter().map(String::as_str).chain(options.split_whitespace());
    words.into_iter().any(|word| word == "--permission" || word == "--experimental-permission")
}

/// The variables of this process in their order, which a program can see, some of them with other values. `Command` would
/// sort them.
pub(crate) struct Environment {
    /// What the pointers point to.
    _variables: Vec<CString>,
    /// Ends with a null, as `execve` wants it.
    pointers: Vec<*const c_char>,
}

// SAFETY: the pointers point into the variables beside them, which nobody changes.
unsafe impl Send for Environment {}
// SAFETY: the same.
unsafe impl Sync for Environment {}

impl Environment {
    pub fn with(ours: Vec<(&str, OsString)>) -> io::Result<Environment> {
        let mut all: Vec<(OsString, OsString)> = env::vars_os().collect();
        for (name, value) in ours {
            match all.iter_mut().find(|(known, _)| known == OsStr::new(name)) {
                Some((_, known)) => *known = value,
                None => all.push((name.into(), value)),
            }
        }
        let line = |(name, value): &(OsString, OsString)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat()).map_err(io::Error::other)
        };
        let variables: Vec<CString> = all.iter().map(line).collect::<io::Result<_>>()?;
        let pointers = variables.iter().map(|line| line.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Environment { _variables: variables, pointers })
    }

    /// # Safety
    /// No other thread may look at the environment, and this must stay.
    unsafe fn become_ours(&self) {
        // SAFETY: as the caller says.
        unsafe { environ = self.pointers.as_ptr() };
    }
}

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

pub(crate) fn start_with(command: &mut Command, environment: Environment) {
    let set = move || {
        // SAFETY: runs between fork and exec, where there is one thread; the memory is the child's copy.
        unsafe { environment.become_ours() };
        Ok(())
    };
    // SAFETY: to store a pointer is allowed there.
    unsafe { command.pre_exec(set) };
}

pub(crate) fn outcome(status: ExitStatus) -> Outcome {
    match status.signal() {
        Some(signal) => Outcome::Killed { signal },
        None => Outcome::Exited(status.code().unwrap_or(0)),
    }
}

/// The preload comes last: it cuts itself off again and leaves the rest as it was.
pub(crate) fn node_options(preload: &Path) -> io::Result<String> {
    let path = preload.to_str().ok_or_else(|| io::Error::other("the path of the runtime is not UTF-8"))?;
    let own = format!("--require={}", quoted(path));
    Ok(match env::var("NODE_OPTIONS") {
        Ok(user) => format!("{user} {own}"),
        Err(_) => own,
    })
}

/// As Node reads NODE_OPTIONS: quotes keep blanks, a backslash keeps what follows. The preload does the same.
fn quoted(path: &str) -> String {
    if path.contains(|c: char| c.is_whitespace() || c == '"' || c == '\\') {
        format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        path.to_owned()
    }
}
