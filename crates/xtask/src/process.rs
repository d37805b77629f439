//! Running other programs.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

use crate::paths;

/// A command that starts in `folder`, given relative to the workspace.
pub fn command(folder: impl AsRef<Path>, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(paths::root().join(folder));
    command
}

thread_local! {
    /// Where programs that this thread runs print to, if not to our own output.
    static LOG: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// While `work` runs, what this thread and the programs that it runs print goes to a file.
pub fn with_log<T>(work: impl FnOnce() -> T) -> (T, Result<NamedTempFile>) {
    let log = NamedTempFile::new().and_then(|log| Ok((log.as_file().try_clone()?, log)));
    let (file, log) = match log {
        Ok((file, log)) => (Some(file), Ok(log)),
        Err(error) => (None, Err(error).context("no file for what is printed")),
    };
    LOG.set(file);
    let done = work();
    LOG.set(None);
    (done, log)
}

/// Prints a line: to the log of this thread, if it has one.
pub fn say(line: &str) {
    LOG.with_borrow_mut(|log| match log {
        Some(log) => {
            // A line that cannot be kept is no reason to fail.
            let _ = writeln!(log, "{line}");
        }
        None => println!("{line}"),
    });
}

/// Output streams for a program: the log of this thread, or our own.
fn streams() -> Result<(Stdio, Stdio)> {
    LOG.with_borrow(|log| match log {
        Some(log) => Ok((log.try_clone()?.into(), log.try_clone()?.into())),
        None => Ok((Stdio::inherit(), Stdio::inherit())),
    })
}

/// Runs it with our own output streams; anything but success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let (stdout, stderr) = streams()?;
    command.stdout(stdout).stderr(stderr);
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} ended with {status}", shown(command));
    Ok(())
}

/// Runs it and takes what it prints to stdout.
pub fn output(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stderr(streams()?.1).output().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(output.status.success(), "{} ended with {}", shown(command), output.status);
    Ok(output.stdout)
}

/// Whether the command exists and succeeds; its output is not shown.
pub fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Installs what `package-lock.json` in the folder names, unless that was done before.
pub fn npm_ci(folder: &str) -> Result<()> {
    /// Two steps may need the same folder.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder_path = paths::root().join(folder);
    let installed = folder_path.join("node_modules/.package-lock.json");
    let locked = folder_path.join("package-lock.json");
    // A lock file that npm writes while `node_modules` is there may lack the optional packages of other machines, and `npm ci` then
    // refuses it: remove both before making a new one. Folders of tests without a lock file have exact versions in package.json.
    let (wanted, how) = match locked.exists() {
        true => (locked, ["ci", "--prefer-offline"]),
        false => (folder_path.join("package.json"), ["install", "--no-package-lock"]),
    };
    let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    if let (Some(installed), Some(wanted)) = (modified(&installed), modified(&wanted))
        && installed >= wanted
    {
        return Ok(());
    }
    // Nothing that is tested needs an install script, and several npm versions refuse to run them.
    run(command(folder, "npm").args(how).args([
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--legacy-peer-deps",
        "--loglevel=error",
    ]))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
