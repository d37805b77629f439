use std::io;

/// Why a file of a run could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    #[error("{file} has format {found}; this build reads format {supported}")]
    Version { file: String, found: u32, supported: u32 },
    #[error("{file} is not a {expected} file")]
    NotOurs { file: String, expected: &'static str },
    #[error("{file} is damaged: {what}")]
    Damaged { file: String, what: String },
    #[error("{file}: {error}")]
    Io { file: String, error: io::Error },
}

impl FormatError {
    pub(crate) fn damaged(file: &str, what: impl Into<String>) -> FormatError {
        FormatError::Damaged { file: file.into(), what: what.into() }
    }

    pub(crate) fn io(file: &str, error: io::Error) -> FormatError {
        FormatError::Io { file: file.into(), error }
    }
}

/// Says so if a file was written by a build with another format.
pub(crate) fn check_version(file: &str, found: u32) -> Result<(), FormatError> {
    if found != crate::VERSION {
        return Err(FormatError::Version { file: file.into(), found, supported: crate::VERSION });
    }
    Ok(())
}
