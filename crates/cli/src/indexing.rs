//! The index of a run, made behind the back of whoever waits for nothing: by another process, which gives way to all others.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{ANSWERED, tell};

#[derive(clap::Args)]
pub struct IndexArgs {
    /// Folder of the run
    pub run: PathBuf,
    /// Give way to all other processes
    #[arg(long)]
    pub gently: bool,
}

/// Makes the index where it is missing. Nobody needs it: it is what questions would do.
pub fn run(args: IndexArgs) -> Result<ExitCode, Failure> {
    if args.gently {
        debugger::give_way();
    }
    let progress = Mutex::new(Progress::new("indexing the run"));
    let show = |done: usize, all: usize| {
        progress.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).show(done as u64, all as u64);
    };
    debugger::write_index(&args.run, &show)?;
    Ok(ANSWERED)
}

/// Starts making the index of a run that is large, and says so. It goes on when this process has ended.
pub fn start(run: &Path) {
    let Ok(exe) = std::env::current_exe() else { return };
    let mut command = Command::new(exe);
    // In a group of its own: Ctrl-C on the terminal is not meant for it.
    command.args(["index", "--gently"]).arg(run).current_dir("/").process_group(0);
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_ok() {
        tell::note("its index is made in the background; questions need not wait for it");
    }
}
