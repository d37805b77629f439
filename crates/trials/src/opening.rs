use std::path::Path;

use javascript::JavaScript;
use trace_model::Languages;
use trace_store::{Run, StoreError};

/// Opens a run of a JavaScript program, which all trials are about.
pub fn open_run(folder: &Path) -> Result<Run, StoreError> {
    Run::open(folder, &Languages::of(&[&JavaScript]))
}
