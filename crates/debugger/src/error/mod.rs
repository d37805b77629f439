//! Why there is no answer: plain data in the user's terms. What went wrong further down ends in `from_below`.

mod from_below;
mod words;

use std::io;
use std::path::PathBuf;

use words::*;

/// Why there is no answer; a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// There is no run of this name, or none at all.
    #[error("{why}")]
    NoSuchRun { why: String },
    #[error("run {run} is still being recorded")]
    BeingRecorded { run: u32 },
    #[error("{file} has format {found}; this build reads format {supported}")]
    OtherFormat { file: String, found: u32, supported: u32 },
    /// Nobody made its language known to this process.
    #[error("this run is of the language {wanted}, which is not known here; known are {known}")]
    UnknownLanguage { wanted: String, known: String },
    #[error("{why}")]
    DamagedRun { why: String },
    /// Something was not found, perhaps because the code of this file cannot be read.
    #[error("{error}; this run no longer holds the code of {file}: {why}")]
    CodeMissing { error: Box<Error>, file: String, why: String },
    /// A file of a run could not be read or written.
    #[error("{why}")]
    UnreadableRun { why: String },
    /// The program could not be started or recorded.
    #[error("{why}")]
    NotStarted { why: String },
    #[error("{why}")]
    NoSuchPolicy { why: String },
    #[error("{why}")]
    NoSuchPattern { why: String },
    #[error("{}: {why}", .path.display())]
    Io { path: PathBuf, why: String },
    #[error("`{cursor}` is no cursor of this list: it leads on in the list that it was given with")]
    NoSuchCursor { cursor: String },
    #[error("`{handle}` is no handle of this: handles come with frames, scopes and values, and are of one run")]
    NoSuchHandle { handle: String },
    #[error("there is no thread {wanted} in this run; it has {n_threads}")]
    NoSuchThread { wanted: String, n_threads: usize },
    #[error("there is no failure {wanted}; this run has {n_failures}")]
    NoSuchFailure { wanted: usize, n_failures: usize },
    #[error("{message}: it ended the program before any recorded code ran")]
    FailedUnrecorded { message: String },
    #[error("there is no kind of event called {wanted}{}{known}", kinds_are(.wanted, .known))]
    NoSuchKind { wanted: String, known: String },
    #[error("{path} was not instrumented: {why}")]
    NotInstrumented { path: String, why: String },
    #[error("no code of {file} was loaded{}", suggestion(.loaded))]
    NoSuchFile { file: String, loaded: LoadedFiles },
    #[error("the code of {file} was compiled, and has the lines of what its source map names: {}", .from.join(", "))]
    CompiledFile { file: String, from: Vec<String> },
    #[error("{file} is ambiguous: it may be {}", .candidates.join(", "))]
    AmbiguousFile { file: String, candidates: Vec<String> },
    #[error("{file}:{line} has no code{}", nearest_line(.nearest))]
    NoCode { file: String, line: u32, nearest: Option<u32> },
    #[error("{file}:{line} was never executed")]
    NeverExecuted { file: String, line: u32 },
    #[error("{file}:{line} was executed {}, so there is no hit {wanted}", times(*.n_hits))]
    NoSuchHit { file: String, line: u32, wanted: u64, n_hits: u64 },
    #[error("there is no event {wanted}; the thread has events {first} to {last}")]
    NoSuchEvent { wanted: u64, first: u64, last: u64 },
    #[error("no exception ended this run")]
    NoCrash,
    #[error("nothing failed: {}{}", tests_passed(*.n_passed), tests_not_run(*.n_others))]
    TestsPassed { n_passed: usize, n_others: usize },
    #[error("the test `{title}` failed, and nothing of its code was recorded: {message}")]
    TestNotRecorded { title: String, message: String },
    #[error("no code of {file} was recorded: files were left out of this run (--include, --exclude)")]
    LeftOut { file: String },
    #[error("no code of {file} was recorded: it belongs to {package}, a tool; --include-package {package} records it")]
    OfTool { file: String, package: String },
    #[error("there is no P{wanted}; {}", points_there_are(*.n_points))]
    NoSuchAnswer { wanted: u32, n_points: usize },
    #[error("{} has no line {wanted}; it has {n_lines}{}", stream(*.is_error), other_stream(*.is_error, *.n_lines))]
    NoSuchOutput { wanted: u64, n_lines: u64, is_error: bool },
    #[error("nothing of the program was recorded there")]
    NothingRecorded,
    /// What the end of the run tells of why there is nothing to explain.
    #[error("{why}")]
    NothingToExplain { why: String },
    #[error("name a place, for example `cart.total`, or give the point a column, for example `app.js:22:7`")]
    NoPlace,
    #[error("{}", with_caret(.text, *.at, .why))]
    Expression { text: String, at: usize, why: String },
    #[error("there is no {name} here{}", names_there_are(.name, .names))]
    NoSuchName { name: String, names: Vec<String> },
    #[error("{name} is not initialised yet{}", declared_later(*.line))]
    NotInitialised { name: String, line: Option<u32> },
    #[error("there is no {text} here: what should have the property {key} is {value}")]
    NoObject { text: String, value: String, key: String },
    #[error("{text} is not a place: {why}")]
    NoSuchPlace { text: String, why: String },
    #[error("{text} is not captured: {why}")]
    NotCaptured { text: String, why: String },
    #[error("no function {function}{} was loaded{near}", .file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default())]
    NoSuchFunction { function: String, file: Option<String>, near: String },
    /// The run holds no answer, as its policy left out what it rests on.
    #[error("this run did not record what the answer needs: {what}{}", offer(.command))]
    NotRecorded { what: String, command: Vec<String> },
    #[error("{error}; {got}")]
    NotReached { error: Box<Error>, got: String },
    #[error("P{number} is a point of an earlier run, and was not found again in this one")]
    OfEarlierRun { number: u32 },
    #[error("{condition} was never true in the {n_hits} times that {point} was executed")]
    NeverTrue { condition: String, point: String, n_hits: u64 },
    /// The program is not run with changes, or could not be.
    #[error("{0}")]
    Experiment(String),
    #[error("the failure does not happen again: the run ended {before}, and now it ended {now}")]
    NotReproduced { before: String, now: String },
    #[error("this was cancelled")]
    Cancelled,
    #[error("{0}")]
    Usage(String),
    #[error("the runtime files are not beside {}; set WHEREFORE_RUNTIME to their folder", .exe.display())]
    NoRuntime { exe: PathBuf },
}

/// Files that are there instead of one that is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadedFiles {
    /// Of about this name.
    Near(Vec<String>),
    /// The first ones of the program itself.
    Others(Vec<String>),
}

impl Error {
    /// A name that stays when the sentence is put better, for programs.
    pub fn id(&self) -> &'static str {
        match self {
            Error::NoSuchRun { .. } => "no-such-run",
            Error::BeingRecorded { .. } => "being-recorded",
            Error::OtherFormat { .. } => "other-format",
            Error::UnknownLanguage { .. } => "unknown-language",
            Error::DamagedRun { .. } => "damaged-run",
            Error::CodeMissing { .. } => "code-missing",
            Error::UnreadableRun { .. } | Error::Io { .. } => "io",
            Error::NotStarted { .. } => "not-started",
            Error::NoSuchPolicy { .. } => "no-such-policy",
            Error::NoSuchPattern { .. } => "no-such-pattern",
            Error::NoSuchCursor { .. } => "no-such-cursor",
            Error::NoSuchHandle { .. } => "no-such-handle",
            Error::NoSuchThread { .. } => "no-such-thread",
            Error::NoSuchFailure { .. } => "no-such-failure",
            Error::FailedUnrecorded { .. } => "failed-unrecorded",
            Error::NoSuchKind { .. } => "no-such-kind",
            Error::NotInstrumented { .. } => "not-instrumented",
            Error::NoSuchFile { .. } => "no-such-file",
            Error::CompiledFile { .. } => "compiled-file",
            Error::AmbiguousFile { .. } => "ambiguous-file",
            Error::NoCode { .. } => "no-code",
            Error::NeverExecuted { .. } => "never-executed",
            Error::NoSuchHit { .. } => "no-such-hit",
            Error::NoSuchEvent { .. } => "no-such-event",
            Error::NoCrash => "no-crash",
            Error::TestsPassed { .. } => "tests-passed",
            Error::TestNotRecorded { .. } => "test-not-recorded",
            Error::LeftOut { .. } => "left-out",
            Error::OfTool { .. } => "left-out",
            Error::NoSuchAnswer { .. } => "no-such-point",
            Error::NoSuchOutput { .. } => "no-such-output",
            Error::NothingRecorded => "nothing-recorded",
            Error::NothingToExplain { .. } => "nothing-to-explain",
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
        |error| Error::Io { path: path.into(), why: error.to_string() }
    }

    /// The same, with the file as the person named it.
    pub(crate) fn named(self, name: &str) -> Error {
        let file = name.to_owned();
        match self {
            Error::NoSuchFile { loaded, .. } => Error::NoSuchFile { file, loaded },
            Error::CompiledFile { from, .. } => Error::CompiledFile { file, from },
            Error::AmbiguousFile { candidates, .. } => Error::AmbiguousFile { file, candidates },
            Error::NoCode { line, nearest, .. } => Error::NoCode { file, line, nearest },
            Error::NeverExecuted { line, .. } => Error::NeverExecuted { file, line },
            Error::NoSuchHit { line, wanted, n_hits, .. } => Error::NoSuchHit { file, line, wanted, n_hits },
            other => other,
        }
    }

    /// The same, with the files that are there as the person sees them.
    pub(crate) fn with_files(self, shown: impl Fn(&String) -> String) -> Error {
        let all = |files: Vec<String>| files.iter().map(&shown).collect();
        match self {
            Error::NoSuchFile { file, loaded: LoadedFiles::Near(files) } => {
                Error::NoSuchFile { file, loaded: LoadedFiles::Near(all(files)) }
            }
            Error::NoSuchFile { file, loaded: LoadedFiles::Others(files) } => {
                Error::NoSuchFile { file, loaded: LoadedFiles::Others(all(files)) }
            }
            Error::CompiledFile { file, from } => Error::CompiledFile { file, from: all(from) },
            other => other,
        }
    }

    /// Whether a run is not there, or cannot be read.
    pub(crate) fn is_of_run_files(&self) -> bool {
        matches!(
            self,
            Error::NoSuchRun { .. }
                | Error::BeingRecorded { .. }
                | Error::OtherFormat { .. }
                | Error::UnknownLanguage { .. }
                | Error::DamagedRun { .. }
                | Error::UnreadableRun { .. }
        )
    }

    /// Whether something of the code was not found, as it would not be if the code were missing.
    pub(crate) fn is_about_code(&self) -> bool {
        matches!(
            self,
            Error::NoSuchFile { .. }
                | Error::NoCode { .. }
                | Error::NothingRecorded
                | Error::NoSuchName { .. }
                | Error::NoSuchPlace { .. }
                | Error::NoSuchFunction { .. }
        )
    }

    /// Whether the question can be refused for its words and the text of the code alone. Which names there are is known only
    /// where it is known which function a point is in.
    pub(crate) fn is_of_text(&self) -> bool {
        matches!(
            self,
            Error::NoSuchFile { .. }
                | Error::CompiledFile { .. }
                | Error::AmbiguousFile { .. }
                | Error::NoCode { .. }
                | Error::NoSuchAnswer { .. }
                | Error::NoPlace
                | Error::Expression { .. }
                | Error::Usage(_)
        )
    }

    /// Whether what was asked for could not be meant, rather than could not be done.
    pub fn is_wrong_usage(&self) -> bool {
        matches!(
            self,
            Error::NoSuchCursor { .. }
                | Error::NoSuchHandle { .. }
                | Error::NoSuchPolicy { .. }
                | Error::NoSuchPattern { .. }
                | Error::NoSuchKind { .. }
                | Error::NoSuchFile { .. }
                | Error::CompiledFile { .. }
                | Error::AmbiguousFile { .. }
                | Error::NoCode { .. }
                | Error::NoSuchEvent { .. }
                | Error::LeftOut { .. }
                | Error::OfTool { .. }
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
        matches!(
            self,
            Error::NeverExecuted { .. }
                | Error::NoSuchHit { .. }
                | Error::NoCrash
                | Error::TestsPassed { .. }
                | Error::TestNotRecorded { .. }
                | Error::NoSuchFailure { .. }
                | Error::FailedUnrecorded { .. }
                | Error::NoSuchOutput { .. }
                | Error::NoObject { .. }
                | Error::NotInitialised { .. }
                | Error::NotCaptured { .. }
                | Error::NothingRecorded
                | Error::NothingToExplain { .. }
                | Error::NotRecorded { .. }
                | Error::OfEarlierRun { .. }
                | Error::NeverTrue { .. }
                | Error::NotReproduced { .. }
        ) || matches!(self, Error::NotReached { error, .. } if error.is_answer())
    }
}
