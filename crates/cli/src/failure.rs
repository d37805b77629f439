use std::env;
use std::io;
use std::path::PathBuf;

use crate::{COULD_NOT_RUN, NONE, WRONG_USAGE};

/// A sentence for stderr, and the exit code.
pub struct Failure {
    pub message: String,
    pub code: u8,
}

impl Failure {
    pub fn could_not_run(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code: COULD_NOT_RUN }
    }
}

impl Failure {
    pub fn wrong_usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code: WRONG_USAGE }
    }
}

impl From<debugger::Error> for Failure {
    fn from(error: debugger::Error) -> Failure {
        let code = match &error {
            // The command ended well, and so does the question why it failed.
            debugger::Error::TestsPassed { .. } => 0,
            error if error.is_answer() => NONE,
            error if error.is_wrong_usage() => WRONG_USAGE,
            _ => COULD_NOT_RUN,
        };
        Failure { message: error.to_string(), code }
    }
}

pub fn current_folder() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| Failure::could_not_run(format!("the current folder cannot be found: {error}")))
}

/// A reader that closed its end of the pipe has seen enough; that is no failure.
pub fn unless_closed(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::could_not_run(format!("stdout: {error}")))
        }
        _ => Ok(()),
    }
}
