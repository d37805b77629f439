use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use trace_format::private;

use crate::Error;

/// A folder of texts about runs, which nobody but the user can read.
#[derive(Clone, Debug)]
pub struct ReportFolder(PathBuf);

impl ReportFolder {
    /// Of one that is there, files that `is_ours` are removed: they are of an earlier report.
    pub fn create(folder: &Path, is_ours: impl Fn(&str) -> bool) -> Result<ReportFolder, Error> {
        private::create_dir_all(folder).map_err(Error::io(folder))?;
        let files = fs::read_dir(folder).map_err(Error::io(folder))?.flatten();
        for file in files.filter(|file| file.file_name().to_str().is_some_and(&is_ours)) {
            fs::remove_file(file.path()).map_err(Error::io(file.path()))?;
        }
        Ok(ReportFolder(folder.into()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.0.join(name);
        let written = private::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(Error::io(&path))
    }
}
