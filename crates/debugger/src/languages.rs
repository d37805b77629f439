//! The languages whose runs this process can be asked about. A run file names its language, and the session takes the one of
//! that name from here.

use std::path::Path;
use std::sync::{LazyLock, PoisonError, RwLock};

use trace_model::{Language, Languages};
use trace_store::{Run, StoreError};

/// Whoever builds a process that reads runs of another language makes it known, before the first is opened.
pub fn add_language(language: &'static dyn Language) {
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).add(language);
}

pub(crate) fn languages() -> Languages {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Opens the run in a folder.
pub(crate) fn open_run(folder: &Path) -> Result<Run, StoreError> {
    Run::open(folder, &languages())
}

/// The language that `record` records: what is asked before there is a run is about it.
pub(crate) static RECORDED: &dyn Language = &javascript::JavaScript;

static KNOWN: LazyLock<RwLock<Languages>> = LazyLock::new(|| RwLock::new(Languages::of(&[RECORDED])));
