use std::io;
use std::path::PathBuf;

use trace_format::{FormatError, PatternError, PolicyError};
use trace_model::did_you_mean;
use trace_store::StoreError;

/// Why there is no answer; a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Record(#[from] record::RecordError),
    #[error(transparent)]
    Policy(#[from] PolicyError),
    #[error(transparent)]
    Pattern(#[from] PatternError),
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("there is no thread {wanted} in this run; it has {n_threads}")]
    NoSuchThread { wanted: String, n_threads: usize },
    #[error("there is no failure {wanted}; this run has {n_failures}")]
    NoSuchFailure { wanted: usize, n_failures: usize },
    #[error("{message}: it ended the program before anything of it ran that is recorded")]
    FailedUnrecorded { message: String },
    #[error("there is no kind of event called {wanted}{}{known}", kinds_are(.wanted, .known))]
    NoSuchKind { wanted: String, known: String },
    #[error("{path} was not instrumented: {why}")]
    NotInstrumented { path: String, why: String },
    #[error(transparent)]
    Point(#[from] query::PointError),
    #[error("no code of {file} was recorded: files were left out of this run (--include, --exclude)")]
    LeftOut { file: String },
    #[error("there is no P{wanted}; {}", points_there_are(*.n_points))]
    NoSuchAnswer { wanted: u32, n_points: usize },
    #[error("{} has no line {wanted}; it has {n_lines}{}", stream(*.is_error), other_stream(*.is_error, *.n_lines))]
    NoSuchOutput { wanted: u64, n_lines: u64, is_error: bool },
    #[error("nothing of the program was recorded there")]
    NothingRecorded,
    #[error("name a place, for example `cart.total`, or give the point a column: `--at app.js:22:7`")]
    NoPlace,
    #[error("{}", with_caret(.text, *.at, .why))]
    Expression { text: String, at: usize, why: String },
    #[error("there is no {name} here{}", names_there_are(.name, .names))]
    NoSuchName { name: String, names: Vec<String> },
    #[error("{name} is not initialised yet{}", declared_later(*.line))]
    NotInitialised { name: String, line: Option<u32> },
    #[error("there is no {text} here: what should have the property {key} is {value}")]
    NoObject { text: String, value: String, key: String },
    #[error("{text} is no place: {why}")]
    NoSuchPlace { text: String, why: String },
    #[error("{text} is not captured: {why}")]
    NotCaptured { text: String, why: String },
    #[error("no function {function}{} was loaded{near}", .file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default())]
    NoSuchFunction { function: String, file: Option<String>, near: String },
    /// The run holds no answer, as its policy left out what it rests on.
    #[error("this run did not record what the answer rests on: {what}{}", offer(.command))]
    NotRecorded { what: String, command: Vec<String> },
    #[error("{error}; {got}")]
    NotReached { error: Box<Error>, got: String },
    #[error("P{number} is a point of an earlier run, and was not found again in this one")]
    OfEarlierRun { number: u32 },
    #[error("{condition} was true none of the {n_hits} times that {point} was executed")]
    NeverTrue { condition: String, point: String, n_hits: u64 },
    /// The program is not run with changes, or could not be.
    #[error("{0}")]
    Experiment(String),
    #[error("the failure does not come again: the run ended {before}, and now ended {now}")]
    NotReproduced { before: String, now: String },
    #[error("this was cancelled")]
    Cancelled,
    #[error("{0}")]
    Usage(String),
    #[error("the runtime files are not beside {}; set WHEREFORE_RUNTIME to their folder", .exe.display())]
    NoRuntime { exe: PathBuf },
}

impl Error {
    /// A name that stays when the sentence is put better, for programs.
    pub fn id(&self) -> &'static str {
        use query::PointError;
        match self {
            Error::Store(StoreError::NoSuchRun { .. } | StoreError::NoRuns(_) | StoreError::NotARun(_)) => {
                "no-such-run"
            }
            Error::Store(StoreError::BeingRecorded(_)) => "being-recorded",
            Error::Store(StoreError::Format(FormatError::Version { .. })) => "newer-format",
            Error::Store(StoreError::Format(_)) => "damaged-run",
            Error::Store(StoreError::Io { .. }) | Error::Io { .. } => "io",
            Error::Record(_) => "not-started",
            Error::Policy(_) => "no-such-policy",
            Error::Pattern(_) => "no-such-pattern",
            Error::NoSuchThread { .. } => "no-such-thread",
            Error::NoSuchFailure { .. } => "no-such-failure",
            Error::FailedUnrecorded { .. } => "failed-unrecorded",
            Error::NoSuchKind { .. } => "no-such-kind",
            Error::NotInstrumented { .. } => "not-instrumented",
            Error::Point(PointError::NoSuchFile { .. }) => "no-such-file",
            Error::Point(PointError::Compiled { .. }) => "compiled-file",
            Error::Point(PointError::AmbiguousFile { .. }) => "ambiguous-file",
            Error::Point(PointError::NoCode { .. }) => "no-code",
            Error::Point(PointError::NeverExecuted { .. }) => "never-executed",
            Error::Point(PointError::NoSuchHit { .. }) => "no-such-hit",
            Error::Point(PointError::NoSuchEvent { .. }) => "no-such-event",
            Error::Point(PointError::NoCrash) => "no-crash",
            Error::LeftOut { .. } => "left-out",
            Error::NoSuchAnswer { .. } => "no-such-point",
            Error::NoSuchOutput { .. } => "no-such-output",
            Error::NothingRecorded => "nothing-recorded",
            Error::NoPlace => "no-place",
            Error::Expression { .. } => "syntax",
            Error::NoSuchName { .. } => "no-such-name",
            Error::NotInitialised { .. } => "not-initialised",
            Error::NoObject { .. } => "no-object",
            Error::NoSuchPlace { .. } => "no-such-place",
            Error::NotCaptured { .. } => "not-captured",
            Error::NoSuchFunction { .. } => "no-such-function",
            Error::NotRecorded { .. } => "not-recorded",
            Error::NotReached { .. } => "not-reached",
            Error::OfEarlierRun { .. } => "of-earlier-run",
            Error::NeverTrue { .. } => "never-true",
            Error::Experiment(_) => "experiment",
            Error::NotReproduced { .. } => "not-reproduced",
            Error::Cancelled => "cancelled",
            Error::Usage(_) => "usage",
            Error::NoRuntime { .. } => "no-runtime",
        }
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        |error| Error::Io { path: path.into(), error }
    }

    /// Whether the question can be refused for its words and the text of the code alone. Which names there are is known only
    /// where it is known which function a point is in.
    pub(crate) fn is_of_text(&self) -> bool {
        use query::PointError::*;
        matches!(
            self,
            Error::Point(NoSuchFile { .. } | Compiled { .. } | AmbiguousFile { .. } | NoCode { .. })
                | Error::NoSuchAnswer { .. }
                | Error::NoPlace
                | Error::Expression { .. }
                | Error::Usage(_)
        )
    }

    /// Whether what was asked for could not be meant, rather than could not be done.
    pub fn is_wrong_usage(&self) -> bool {
        use query::PointError::*;
        matches!(
            self,
            Error::Policy(_)
                | Error::Pattern(_)
                | Error::NoSuchKind { .. }
                | Error::Point(
                    NoSuchFile { .. } | Compiled { .. } | AmbiguousFile { .. } | NoCode { .. } | NoSuchEvent { .. }
                )
                | Error::LeftOut { .. }
                | Error::NoSuchAnswer { .. }
                | Error::NoPlace
                | Error::Expression { .. }
                | Error::NoSuchName { .. }
                | Error::NoSuchPlace { .. }
                | Error::NoSuchFunction { .. }
                | Error::Usage(_)
        ) || matches!(self, Error::NotReached { error, .. } if error.is_wrong_usage())
    }

    /// Whether the question was answered: that there is no such thing.
    pub fn is_answer(&self) -> bool {
        use query::PointError::*;
        matches!(
            self,
            Error::Point(NeverExecuted { .. } | NoSuchHit { .. } | NoCrash)
                | Error::NoSuchFailure { .. }
                | Error::FailedUnrecorded { .. }
                | Error::NoSuchOutput { .. }
                | Error::NoObject { .. }
                | Error::NotInitialised { .. }
                | Error::NotCaptured { .. }
                | Error::NothingRecorded
                | Error::NotRecorded { .. }
                | Error::OfEarlierRun { .. }
                | Error::NeverTrue { .. }
                | Error::NotReproduced { .. }
        ) || matches!(self, Error::NotReached { error, .. } if error.is_answer())
    }
}

fn offer(command: &[String]) -> String {
    if command.is_empty() {
        String::new()
    } else {
        format!("; ask again with --rerun, which runs `{}`", command.join(" "))
    }
}

fn kinds_are(wanted: &str, known: &str) -> String {
    match did_you_mean(wanted, known.split(", ")).as_str() {
        "" => "; there are ".into(),
        near => format!("{near} There are "),
    }
}

fn stream(is_error: bool) -> &'static str {
    if is_error { "the output to stderr" } else { "the output" }
}

/// Many tools write all that they say to stderr.
fn other_stream(is_error: bool, n_lines: u64) -> &'static str {
    if n_lines == 0 && !is_error { "; lines of stderr are written err:1" } else { "" }
}

fn points_there_are(n_points: usize) -> String {
    match n_points {
        0 => "no answer of this run was given a number yet".into(),
        1 => "there is P1".into(),
        n => format!("there are P1 to P{n}"),
    }
}

fn names_there_are(wanted: &str, names: &[String]) -> String {
    const MOST_NAMES: usize = 12;
    let near = did_you_mean(wanted, names.iter().map(String::as_str));
    match names {
        [] => String::new(),
        _ if !near.is_empty() => near,
        names => {
            let more = if names.len() > MOST_NAMES { ", …" } else { "" };
            format!("; there are {}{more}", names[..names.len().min(MOST_NAMES)].join(", "))
        }
    }
}

fn declared_later(line: Option<u32>) -> String {
    line.map(|line| format!(": control has yet to come to its declaration in line {line}")).unwrap_or_default()
}

/// The typed text with a mark under what is wrong.
fn with_caret(text: &str, at: usize, why: &str) -> String {
    let n_before = text.get(..at).unwrap_or(text).chars().count();
    format!("{why}\n    {text}\n    {}^", " ".repeat(n_before))
}
