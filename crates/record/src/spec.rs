//! What to run and how.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use trace_format::{RingLayout, StopWish};
use trace_model::cancel::Cancel;
use trace_model::{Intervention, Policy};

use crate::environment::Environment;
use crate::stage::Stage;

#[derive(Clone, Debug)]
pub struct RunSpec {
    pub command: Vec<String>,
    /// Where `.wherefore` lies.
    pub project: PathBuf,
    /// Where the program starts.
    pub folder: PathBuf,
    pub environment: Environment,
    /// Where the run is kept, if not in the next folder of the project; must be empty, or not there yet.
    pub run: Option<PathBuf>,
    /// The folder of `preload.cjs` and the addon.
    pub runtime: PathBuf,
    pub policy: Policy,
    /// Patterns of a [`trace_format::FileFilter`]; nothing here: every file.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Packages that are recorded although they are tools.
    pub packages: Vec<String>,
    /// Whether tools are recorded like the program.
    pub has_tools: bool,
    /// Keep only the newest part of each thread's trace, in bytes.
    pub keep_last: Option<u64>,
    /// The event memory of each thread.
    pub layout: RingLayout,
    pub input: Input,
    pub output: Output,
    pub signals: SignalsOf,
    /// After this time the program and its children are stopped.
    pub timeout: Option<Duration>,
    /// Stops the program and its children, from any thread.
    pub cancel: Cancel,
    pub started: Option<OnStarted>,
    pub progress: Option<OnProgress>,
    pub tests_over: Option<OnTestsOver>,
    /// A shell command that starts when the program, or a child of it, listens on a TCP port, which is its `PORT`. When it
    /// ends, the program is stopped.
    pub drive: Option<String>,
    /// A point at which to stop while it runs.
    pub stop: Option<StopWish>,
    /// What is different in this run.
    pub intervention: Option<Intervention>,
    /// Where it runs, if not where it lies.
    pub staged: Option<Staged>,
}

/// A stage, and where on it the program starts: a folder of the project.
#[derive(Clone, Debug)]
pub struct Staged {
    pub stage: Stage,
    pub folder: PathBuf,
}

/// What the program reads from its stdin.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Input {
    /// Our own stdin, as it is.
    #[default]
    Inherit,
    /// What our own stdin gives, as it comes; all of it is kept in this file, for the next run. See [`KeptInput`].
    Keep(PathBuf),
    /// What this file holds, and then the end of input. A file if our own stdin is one, and else a pipe.
    From(PathBuf),
    /// `/dev/null`.
    Nothing,
    /// These, from a pipe, and then the end of input.
    Bytes(Vec<u8>),
}

/// What [`Input::Keep`] has kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptInput {
    /// Nothing was to be kept.
    NotAsked,
    /// All input there was.
    Whole,
    /// The program ended before its input did; what had arrived by then.
    Part,
    /// Our stdin is a terminal, which the program then has itself: no file was made.
    Terminal,
}

/// Where the program's stdout and stderr go.
#[derive(Clone, Default)]
pub enum Output {
    /// Where ours go: the program has the very same terminal, pipes or files.
    #[default]
    Inherit,
    /// Both to our stderr, because an answer is to stand alone on stdout.
    ToStderr,
    /// `/dev/null`.
    Nothing,
    /// To a function, through a pipe each; see [`Sink`].
    Sink(Sink),
}

/// Takes what a program prints, as it comes. It is called by one thread, until the recording is over and never after it.
///
/// The program finds pipes, as it does behind `| cat`: no terminal, no colours, no width. While the function works, the
/// pipe fills up, and a program that prints more than it holds waits. What processes print that the program left behind is
/// not passed on once the recording is over; they go on all the same.
pub type Sink = Arc<dyn Fn(Stream, &[u8]) + Send + Sync>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    Stdout,
    Stderr,
    /// Both of the driver, which is no part of the program.
    Driver,
}

/// To whom the signals belong that are sent to this process while it records.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SignalsOf {
    /// To this process itself: nothing is changed about them. A program that has neither our input nor our output then gets
    /// a process group of its own, so that neither can signal the other by accident.
    #[default]
    ThisProcess,
    /// To the program, as if it ran in the place of this process: none of those that people send ends us, and what was sent
    /// to us alone is passed on. Of several recordings in one process each gets them.
    TheProgram,
}

/// How far a recording is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Events in the trace files; what is still in the event memory comes later.
    pub n_events: u64,
    /// Of the trace files.
    pub n_bytes: u64,
}

/// Called at most ten times a second while a program runs, and once at the end of the recording.
#[derive(Clone)]
pub struct OnProgress(pub Arc<dyn Fn(Progress) + Send + Sync>);

/// Called once, with the folder of the run, if the tests of the program are over and the program is not. The recording goes on meanwhile, but its end
/// waits for the function.
#[derive(Clone)]
pub struct OnTestsOver(pub Arc<dyn Fn(&Path) + Send + Sync>);

/// Called once with the folder of the run, before the program starts.
#[derive(Clone)]
pub struct OnStarted(pub Arc<dyn Fn(&Path) + Send + Sync>);

/// Four chunks of 4 MB: enough that the program seldom waits, little enough that a small process costs little.
pub const USUAL_LAYOUT: RingLayout = RingLayout { chunk_words: 1 << 20, n_chunks: 4 };

/// What each thread needs on the disk while it is recorded, in MB.
pub(crate) fn memory_of_thread(layout: &RingLayout) -> u64 {
    (u64::from(layout.chunk_words) * u64::from(layout.n_chunks) * 4).div_ceil(1 << 20)
}

impl RunSpec {
    /// Records all of it, as the next run of the project `folder`, in which it starts, with our own input and output and for
    /// as long as it takes.
    pub fn new(command: Vec<String>, folder: PathBuf, runtime: PathBuf) -> RunSpec {
        RunSpec {
            command,
            project: folder.clone(),
            folder,
            environment: Environment::default(),
            run: None,
            runtime,
            policy: Policy::full(),
            include: Vec::new(),
            exclude: Vec::new(),
            packages: Vec::new(),
            has_tools: false,
            keep_last: None,
            layout: USUAL_LAYOUT,
            input: Input::Inherit,
            output: Output::Inherit,
            signals: SignalsOf::ThisProcess,
            timeout: None,
            cancel: Cancel::default(),
            started: None,
            progress: None,
            tests_over: None,
            drive: None,
            stop: None,
            intervention: None,
            staged: None,
        }
    }

    /// Where it starts, on a stage or not, under the name that the program finds.
    pub(crate) fn start_folder(&self) -> PathBuf {
        match &self.staged {
            Some(Staged { stage, folder }) => stage.path_of(folder),
            None => self.folder.clone(),
        }
    }

    /// Whether nothing ties the program to our terminal.
    pub(crate) fn is_detached(&self) -> bool {
        self.signals == SignalsOf::ThisProcess
            && !matches!(self.input, Input::Inherit | Input::Keep(_))
            && matches!(self.output, Output::Nothing | Output::Sink(_))
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Output::Inherit => "Inherit",
            Output::ToStderr => "ToStderr",
            Output::Nothing => "Nothing",
            Output::Sink(_) => "Sink(…)",
        })
    }
}

impl fmt::Debug for OnProgress {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("OnProgress(…)")
    }
}

impl fmt::Debug for OnStarted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("OnStarted(…)")
    }
}

impl fmt::Debug for OnTestsOver {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("OnTestsOver(…)")
    }
}
