//! The program as a child: same terminal, same process group, one more option for every Node in it.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use trace_format::Outcome;

use crate::{RunSpec, signals};

pub fn run_to_end(spec: &RunSpec, run: &Path, preload: &Path) -> io::Result<Outcome> {
    let (program, args) = spec.command.split_first().ok_or_else(|| io::Error::other("the command is empty"))?;
    let mut command = Command::new(program);
    command.args(args);
    if !is_restricted(spec) {
        command.env("NODE_OPTIONS", node_options(preload)?).env("WHEREFORE_RUN", run);
    }
    if spec.output_to_stderr {
        command.stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?));
    }
    signals::prepare();
    let mut child = command.spawn()?;
    signals::pass_on_to(child.id());
    let status = child.wait()?;
    signals::pass_on_to(0);
    Ok(outcome(status))
}

/// Whether Node's permission model is asked for: it forbids addons, and would stop the program at our preload.
pub fn is_restricted(spec: &RunSpec) -> bool {
    let options = std::env::var("NODE_OPTIONS").unwrap_or_default();
    let words = spec.command.iter().map(String::as_str).chain(options.split_whitespace());
    words.into_iter().any(|word| word == "--permission" || word == "--experimental-permission")
}

fn outcome(status: ExitStatus) -> Outcome {
    match status.signal() {
        Some(signal) => Outcome::Killed { signal },
        None => Outcome::Exited(status.code().unwrap_or(0)),
    }
}

/// The preload comes last: it cuts itself off again and leaves the rest as it was.
fn node_options(preload: &Path) -> io::Result<String> {
    let path = preload.to_str().ok_or_else(|| io::Error::other("the path of the runtime is not UTF-8"))?;
    let own = format!("--require={}", quoted(path));
    Ok(match std::env::var("NODE_OPTIONS") {
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
