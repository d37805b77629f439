//! What is to be recorded, as a front end says it: plain data, and functions that are told what happens meanwhile.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::{Cancel, Error, StopAt};

/// What to run, and how to record it. Any number of them can be recorded at once in one process, each in a thread of its own: they
/// have nothing in common.
#[derive(Clone, Debug)]
pub struct RecordRequest {
    pub command: Vec<String>,
    /// Where the program starts, seen from the folder of the user; there itself if `None`.
    pub folder: Option<PathBuf>,
    pub environment: Environment,
    /// Where the run is kept, seen from the folder of the user; the next number of the project if `None`.
    pub run_folder: Option<PathBuf>,
    pub policy: Policy,
    pub code: RecordedCode,
    /// About so many bytes of the newest events are kept.
    pub keep_last: Option<u64>,
    /// What the program reads from its stdin.
    pub input: Input,
    /// Where what it prints goes.
    pub output: Output,
    pub signals: SignalsOf,
    /// After this time the program and its children are stopped.
    pub timeout: Option<Duration>,
    /// Stops the program and its children, as the timeout does. What was recorded until then is kept.
    pub cancel: Cancel,
    pub started: Option<OnStarted>,
    /// Told how far the recording is, at most ten times a second and once at its end.
    pub progress: Option<OnProgress>,
    pub tests_over: Option<OnTestsOver>,
    /// A shell command that starts when the program listens on a TCP port, which is its `PORT`. When it ends, the program is
    /// stopped.
    pub drive: Option<String>,
}

impl RecordRequest {
    /// All of it, as the next run of the project, with the input and the output of this process.
    pub fn of(command: Vec<String>) -> RecordRequest {
        RecordRequest {
            command,
            folder: None,
            environment: Environment::default(),
            run_folder: None,
            policy: Policy::full(),
            code: RecordedCode::default(),
            keep_last: None,
            input: Input::Inherit,
            output: Output::Inherit,
            signals: SignalsOf::ThisProcess,
            timeout: None,
            cancel: Cancel::default(),
            started: None,
            progress: None,
            tests_over: None,
            drive: None,
        }
    }
}

/// Which code is recorded. By default the program and its libraries are, and the tools that run in the same processes are not.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RecordedCode {
    /// Globs over paths; where there are any, exactly what matches is recorded.
    pub include: Vec<String>,
    /// Globs over paths of what is not recorded, whatever else is said.
    pub exclude: Vec<String>,
    /// Packages that are recorded although they are tools.
    pub packages: Vec<String>,
    /// Whether tools are recorded like the program.
    pub tools: bool,
}

/// Which events are recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy(pub(crate) trace_model::Policy);

impl Policy {
    /// All of them.
    pub fn full() -> Policy {
        Policy(trace_model::Policy::full())
    }

    /// The least with which the program can be stopped at a point.
    pub fn of_point(at: &StopAt) -> Policy {
        Policy(trace_model::Policy::Needed(at.need()))
    }
}

/// The policy that clauses of text describe; the full one if there are none.
pub fn policy(clauses: &[String]) -> Result<Policy, Error> {
    match clauses {
        [] => Ok(Policy::full()),
        clauses => Ok(Policy(trace_format::parse_policy(&clauses.join(" "))?)),
    }
}

/// Which variables a program is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Environment {
    /// Those of this process, with these changes: a value for the variable, or `None` to take it away.
    Inherit { changes: Vec<(OsString, Option<OsString>)> },
    /// These and no others. The command is then looked for in the `PATH` that is among them.
    Exactly(Vec<(OsString, OsString)>),
}

impl Default for Environment {
    fn default() -> Environment {
        Environment::Inherit { changes: Vec::new() }
    }
}

/// What a program reads from its stdin. Paths are seen from the folder of the user.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Input {
    /// The stdin of this process, as it is.
    #[default]
    Inherit,
    /// What the stdin of this process gives, as it comes; all of it is kept in this file, for the next run. See [`KeptInput`].
    Keep(PathBuf),
    /// What this file holds, and then the end of input. A file if the stdin of this process is one, and else a pipe.
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
    /// The stdin of this process is a terminal, which the program then has itself: no file was made.
    Terminal,
}

/// Where a program's stdout and stderr go.
#[derive(Clone, Default)]
pub enum Output {
    /// Where those of this process go: the program has the very same terminal, pipes or files.
    #[default]
    Inherit,
    /// Both to the stderr of this process, because an answer is to stand alone on stdout.
    ToStderr,
    /// `/dev/null`.
    Nothing,
    /// To a function, as it comes. One thread calls it, until the recording is over and never after it.
    ///
    /// The program finds a pipe each, as it does behind `| cat`: no terminal, no colours, no width. While the function works the
    /// pipe fills up, and a program that prints more than it holds waits. If the function panics, the program goes on, and a note
    /// of the run says so.
    Sink(Sink),
}

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
    /// To this process itself: nothing is changed about them. A program that has neither the input nor the output of this
    /// process then gets a process group of its own, so that neither can signal the other by accident.
    #[default]
    ThisProcess,
    /// To the program, as if it ran in the place of this process: none of those that people send ends this process, and what was
    /// sent to it alone is passed on. Of several recordings in one process each gets them. For a command line.
    TheProgram,
}

/// How far a recording is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RecordProgress {
    /// Events that have been written; the newest follow later.
    pub n_events: u64,
    /// Bytes that they take on the disk.
    pub n_bytes: u64,
}

#[derive(Clone)]
pub struct OnProgress(pub Arc<dyn Fn(RecordProgress) + Send + Sync>);

/// Called once with the folder of the run, before the program starts: whoever wants to look at the run while it is recorded.
#[derive(Clone)]
pub struct OnStarted(pub Arc<dyn Fn(&Path) + Send + Sync>);

/// Called once, with the folder of the run, if the tests of the program are over and the program is not: a runner that watches files, or a test that left
/// a server behind. The recording goes on meanwhile, but its end waits for the function.
#[derive(Clone)]
pub struct OnTestsOver(pub Arc<dyn Fn(&Path) + Send + Sync>);

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

// To the terms of the recorder.

impl Environment {
    pub(crate) fn to_record(&self) -> record::Environment {
        match self {
            Environment::Inherit { changes } => record::Environment::Inherit { changes: changes.clone() },
            Environment::Exactly(all) => record::Environment::Exactly(all.clone()),
        }
    }
}

impl Input {
    pub(crate) fn to_record(&self, folder: &Path) -> record::Input {
        match self {
            Input::Inherit => record::Input::Inherit,
            Input::Keep(path) => record::Input::Keep(seen_from(folder, path)),
            Input::From(path) => record::Input::From(seen_from(folder, path)),
            Input::Nothing => record::Input::Nothing,
            Input::Bytes(bytes) => record::Input::Bytes(bytes.clone()),
        }
    }
}

/// A folder that is the current one adds nothing to a path, which then is shown as it was given.
pub(crate) fn seen_from(folder: &Path, path: &Path) -> PathBuf {
    if folder == Path::new(".") { path.into() } else { folder.join(path) }
}

impl Output {
    pub(crate) fn to_record(&self) -> record::Output {
        match self {
            Output::Inherit => record::Output::Inherit,
            Output::ToStderr => record::Output::ToStderr,
            Output::Nothing => record::Output::Nothing,
            Output::Sink(sink) => {
                let sink = sink.clone();
                record::Output::Sink(Arc::new(move |stream, bytes| sink(stream.into(), bytes)))
            }
        }
    }
}

impl From<record::Stream> for Stream {
    fn from(stream: record::Stream) -> Stream {
        match stream {
            record::Stream::Stdout => Stream::Stdout,
            record::Stream::Stderr => Stream::Stderr,
            record::Stream::Driver => Stream::Driver,
        }
    }
}

impl From<SignalsOf> for record::SignalsOf {
    fn from(signals: SignalsOf) -> record::SignalsOf {
        match signals {
            SignalsOf::ThisProcess => record::SignalsOf::ThisProcess,
            SignalsOf::TheProgram => record::SignalsOf::TheProgram,
        }
    }
}

impl From<record::KeptInput> for KeptInput {
    fn from(kept: record::KeptInput) -> KeptInput {
        match kept {
            record::KeptInput::NotAsked => KeptInput::NotAsked,
            record::KeptInput::Whole => KeptInput::Whole,
            record::KeptInput::Part => KeptInput::Part,
            record::KeptInput::Terminal => KeptInput::Terminal,
        }
    }
}

impl OnProgress {
    pub(crate) fn to_record(&self) -> record::OnProgress {
        let OnProgress(told) = self.clone();
        record::OnProgress(Arc::new(move |now: record::Progress| {
            told(RecordProgress { n_events: now.n_events, n_bytes: now.n_bytes });
        }))
    }
}

impl OnStarted {
    pub(crate) fn to_record(&self) -> record::OnStarted {
        record::OnStarted(self.0.clone())
    }
}

impl OnTestsOver {
    pub(crate) fn to_record(&self) -> record::OnTestsOver {
        record::OnTestsOver(self.0.clone())
    }
}
