//! What to run and how.

use std::path::PathBuf;
use std::time::Duration;

use trace_format::{RingLayout, StopWish};
use trace_model::{Intervention, Policy};

use crate::stage::Stage;

#[derive(Clone, Debug)]
pub struct RunSpec {
    pub command: Vec<String>,
    /// Where `.wherefore` lies; the program itself starts in the current folder.
    pub folder: PathBuf,
    /// Where the run is kept, if not in the next folder there; must be empty, or not there yet.
    pub run: Option<PathBuf>,
    /// The folder of `preload.cjs` and the addon.
    pub runtime: PathBuf,
    pub policy: Policy,
    /// Patterns of a [`trace_format::FileFilter`]; nothing here: every file.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Keep only the newest part of each thread's trace, in bytes.
    pub keep_last: Option<u64>,
    /// The event memory of each thread.
    pub layout: RingLayout,
    /// Whether the program's own output goes to stderr, because an answer is to stand alone on stdout.
    pub output_to_stderr: bool,
    pub input: Input,
    /// After this time the program and its children are stopped.
    pub timeout: Option<Duration>,
    /// A shell command that starts when the program, or a child of it, listens on a TCP port, which is its `PORT`. When it
    /// ends, the program is stopped.
    pub drive: Option<String>,
    /// A point at which to stop while it runs.
    pub stop: Option<StopWish>,
    /// What is different in this run.
    pub intervention: Option<Intervention>,
    /// Where it runs, if not where it lies; it then prints to nobody.
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
    /// What this file holds, and then the end of input.
    From(PathBuf),
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

/// Four chunks of 4 MB: enough that the program seldom waits, little enough that a small process costs little.
pub const USUAL_LAYOUT: RingLayout = RingLayout { chunk_words: 1 << 20, n_chunks: 4 };

impl RunSpec {
    /// Records all of it, in the next folder of `folder`, with our own stdin and for as long as it takes.
    pub fn new(command: Vec<String>, folder: PathBuf, runtime: PathBuf) -> RunSpec {
        RunSpec {
            command,
            folder,
            run: None,
            runtime,
            policy: Policy::full(),
            include: Vec::new(),
            exclude: Vec::new(),
            keep_last: None,
            layout: USUAL_LAYOUT,
            output_to_stderr: false,
            input: Input::Inherit,
            timeout: None,
            drive: None,
            stop: None,
            intervention: None,
            staged: None,
        }
    }
}
