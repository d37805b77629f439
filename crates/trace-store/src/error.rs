use std::io;
use std::path::{Path, PathBuf};

use trace_format::FormatError;

/// Why a run could not be opened at all.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no run {name}{}", list_of(.available))]
    NoSuchRun { name: String, available: Vec<u32> },
    #[error("there are no runs yet in {}; `wherefore record -- <command>` makes one", .0.display())]
    NoRuns(PathBuf),
    #[error("{} is not a run: it has no run.txt", .0.display())]
    NotARun(PathBuf),
    #[error("run {0} is still being recorded")]
    BeingRecorded(u32),
    #[error("this run is of the language {wanted}, which is not known here; known are {known}")]
    UnknownLanguage { wanted: String, known: String },
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl StoreError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        |error| StoreError::Io { path: path.into(), error }
    }
}

fn list_of(runs: &[u32]) -> String {
    match runs {
        [] => "; there are none yet".into(),
        [only] => format!("; there is run {only}"),
        runs => format!("; there are runs {}", runs.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    }
}
