//! The index of a run, made behind the back of whoever waits for nothing: by another process, which gives way to all others.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use debugger::IndexQueue;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::{ANSWERED, tell};

#[derive(clap::Args)]
pub struct IndexArgs {
    /// Folder of the run; if left out, all that wait for an index
    pub run: Option<PathBuf>,
    /// Give way to all other processes
    #[arg(long)]
    pub gently: bool,
}

/// Makes the index where it is missing. Nobody needs it: it is what questions would do.
pub fn run(args: IndexArgs) -> Result<ExitCode, Failure> {
    if args.gently {
        debugger::give_way();
    }
    match args.run {
        Some(run) if args.gently => index_while_it_is_there(&run, || {}),
        Some(run) => {
            let progress = Mutex::new(Progress::new("indexing the run"));
            let show = |done: usize, all: usize| {
                progress.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).show(done as u64, all as u64);
            };
            debugger::write_index(&run, &show)?;
        }
        None => index_all_that_wait(),
    }
    Ok(ANSWERED)
}

/// Has the index of a run made that is large, and says so. That goes on when this process has ended.
pub fn start(run: &Path) {
    let Ok(run) = fs::canonicalize(run) else { return };
    let is_cared_for = match IndexQueue::of_user().map(|queue| queue.add(&run)) {
        Some(Ok(is_needed)) => !is_needed || spawn(None),
        // Without a place for the queue there is a process for each.
        _ => spawn(Some(&run)),
    };
    if is_cared_for {
        tell::note("its index is made in the background; questions need not wait for it");
    }
}

fn spawn(run: Option<&Path>) -> bool {
    let Ok(exe) = std::env::current_exe() else { return false };
    let mut command = Command::new(exe);
    // In a group of its own: Ctrl-C on the terminal is not meant for it.
    command.args(["index", "--gently"]).args(run).current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}

fn index_all_that_wait() {
    let Some(queue) = IndexQueue::of_user() else { return };
    let Ok(Some(worker)) = queue.work() else { return };
    let worker = Mutex::new(Some(worker));
    let next = || worker.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_mut()?.take_next().ok()?;
    while let Some(run) = next() {
        index_while_it_is_there(&run, || {
            // Another process takes the place of this one.
            drop(worker.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take());
            if !queue.is_empty() {
                spawn(None);
            }
        });
    }
}

/// Goes on with the next run, whatever comes of this one. If its folder is removed meanwhile, or another is put in its place, this process
/// ends at once, behind `before_end`: nothing is written there any more, and nobody wants the rest.
fn index_while_it_is_there(run: &Path, before_end: impl Fn() + Send) {
    // Names below the folder that is entered mean that very folder: nothing can get into another one of the same name.
    let Ok(entered) = std::env::set_current_dir(run).and_then(|()| fs::metadata(".")) else { return };
    let (done, is_done) = mpsc::channel();
    std::thread::scope(|scope| {
        // If indexing panics, this goes with it, and the other thread ends.
        let done = done;
        scope.spawn(move || {
            while is_done.recv_timeout(LOOKING) == Err(RecvTimeoutError::Timeout) {
                if !is_there(run, &entered) {
                    before_end();
                    std::process::exit(0);
                }
            }
        });
        let _ = debugger::write_index(Path::new("."), &|_, _| {});
        let _ = done.send(());
    });
    let _ = std::env::set_current_dir("/");
}

fn is_there(run: &Path, entered: &Metadata) -> bool {
    let is_same = |found: Metadata| (found.dev(), found.ino()) == (entered.dev(), entered.ino());
    fs::metadata(run).is_ok_and(is_same) && Path::new("run.txt").exists()
}

/// How often it is looked whether a run is still there.
const LOOKING: Duration = Duration::from_millis(50);
