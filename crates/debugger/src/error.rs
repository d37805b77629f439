use std::io;
use std::path::PathBuf;

use trace_format::PolicyError;
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
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("there is no thread {wanted} in this run; it has {n_threads}")]
    NoSuchThread { wanted: String, n_threads: usize },
    #[error("there is no kind of event called {wanted}; there are {known}")]
    NoSuchKind { wanted: String, known: String },
    #[error("{path} was not instrumented: {why}")]
    NotInstrumented { path: String, why: String },
    #[error("the runtime files are not beside {}; set WHEREFORE_RUNTIME to their folder", .exe.display())]
    NoRuntime { exe: PathBuf },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        |error| Error::Io { path: path.into(), error }
    }

    /// Whether what was asked for could not be meant, rather than could not be done.
    pub fn is_wrong_usage(&self) -> bool {
        matches!(self, Error::Policy(_) | Error::NoSuchKind { .. })
    }
}
