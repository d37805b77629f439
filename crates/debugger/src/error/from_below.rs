//! What went wrong in the layers below, in the user's terms.

use query::{Loaded, PointError};
use record::RecordError;
use trace_format::{FormatError, PatternError, PolicyError};
use trace_store::StoreError;

use super::{Error, LoadedFiles};

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::NoSuchRun { .. } | StoreError::NoRuns(_) | StoreError::NotARun(_) => {
                Error::NoSuchRun { why: error.to_string() }
            }
            StoreError::BeingRecorded(run) => Error::BeingRecorded { run },
            StoreError::UnknownLanguage { wanted, known } => Error::UnknownLanguage { wanted, known },
            StoreError::Io { .. } => Error::UnreadableRun { why: error.to_string() },
            StoreError::Format(error) => error.into(),
        }
    }
}

impl From<FormatError> for Error {
    fn from(error: FormatError) -> Error {
        match error {
            FormatError::Version { file, found, supported } => Error::OtherFormat { file, found, supported },
            FormatError::NotOurs { .. } | FormatError::Damaged { .. } => Error::DamagedRun { why: error.to_string() },
            FormatError::Io { .. } => Error::UnreadableRun { why: error.to_string() },
        }
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Error {
        match error {
            RecordError::Cancelled => Error::Cancelled,
            error => Error::NotStarted { why: error.to_string() },
        }
    }
}

impl From<PolicyError> for Error {
    fn from(error: PolicyError) -> Error {
        Error::NoSuchPolicy { why: error.to_string() }
    }
}

impl From<PatternError> for Error {
    fn from(error: PatternError) -> Error {
        Error::NoSuchPattern { why: error.to_string() }
    }
}

impl From<PointError> for Error {
    fn from(error: PointError) -> Error {
        match error {
            PointError::NoSuchFile { file, loaded } => Error::NoSuchFile { file, loaded: loaded.into() },
            PointError::Compiled { file, from } => Error::CompiledFile { file, from },
            PointError::AmbiguousFile { file, candidates } => Error::AmbiguousFile { file, candidates },
            PointError::NoCode { file, line, nearest } => Error::NoCode { file, line, nearest },
            PointError::NeverExecuted { file, line } => Error::NeverExecuted { file, line },
            PointError::NoSuchHit { file, line, wanted, n_hits } => Error::NoSuchHit { file, line, wanted, n_hits },
            PointError::NoSuchEvent { wanted, first, last } => Error::NoSuchEvent { wanted, first, last },
        }
    }
}

impl From<Loaded> for LoadedFiles {
    fn from(loaded: Loaded) -> LoadedFiles {
        match loaded {
            Loaded::Near(files) => LoadedFiles::Near(files),
            Loaded::Others(files) => LoadedFiles::Others(files),
        }
    }
}
