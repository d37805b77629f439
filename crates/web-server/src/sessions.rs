//! What all requests share: the runs that are open, and the programs that are run again.

use std::path::Path;

use debugger::{Error, OpenRuns, Session};

use crate::jobs::Jobs;

pub struct Sessions {
    pub runs: OpenRuns,
    pub jobs: Jobs,
}

impl Sessions {
    pub fn new(runs: OpenRuns) -> Sessions {
        Sessions { runs, jobs: Jobs::default() }
    }

    pub fn folder(&self) -> &Path {
        self.runs.folder()
    }

    pub fn of(&self, run: Option<&str>) -> Result<Session, Error> {
        self.runs.of(run)
    }
}
