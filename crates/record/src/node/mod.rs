//! What recording takes that is Node's: its options, the files that its processes load first, and how they are found.

mod experiment;
mod library;
mod options;
mod preload;
mod ran;
mod scripts;
mod watch;

use std::io;
use std::path::{Path, PathBuf};

pub use experiment::{Notes, TextChange, read_notes, write_preload};
pub(crate) use options::{is_restricted, load_first};
pub(crate) use ran::{problems, situation};
pub(crate) use watch::Watch;

use crate::environment::Variables;

/// The versions that are recorded, in words.
pub(crate) const SUPPORTED: &str = "20, 22, 24 and 26";

/// What leads the processes of a command to the run.
pub(crate) struct Lead {
    run: PathBuf,
    preload: PathBuf,
    library: Option<PathBuf>,
}

/// Where the recorded processes write. All of them have it, so it also tells which they are.
pub(crate) const RUN_VARIABLE: &str = "WHEREFORE_RUN";

impl Lead {
    pub(crate) fn to(run: &Path, runtime: &Path) -> io::Result<Lead> {
        let library = library::find(runtime);
        let preload = preload::write(run, runtime, library.as_deref())?;
        Ok(Lead { run: run.into(), preload, library })
    }

    pub(crate) fn has_library(&self) -> bool {
        self.library.is_some()
    }

    pub(crate) fn put_into(&self, variables: &mut Variables) -> io::Result<()> {
        load_first(variables, &self.preload)?;
        variables.set(RUN_VARIABLE, &self.run);
        if let Some(library) = &self.library {
            library::load(variables, library);
        }
        Ok(())
    }
}
