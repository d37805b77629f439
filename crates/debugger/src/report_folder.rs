use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trace_format::private;

use crate::Error;

/// A folder of texts about runs, which nobody but the user can read.
#[derive(Clone, Debug)]
pub struct ReportFolder(PathBuf);

/// A folder that holds this file is that of a report, and what has the name of a file of a report may be replaced there.
const MARK: &str = ".wherefore-report";

impl ReportFolder {
    /// Whether a report can be written there: files that `would_be_ours` by their names must be those of an earlier report.
    pub fn check(folder: &Path, would_be_ours: impl Fn(&str) -> bool) -> Result<(), Error> {
        let file = earlier(folder, would_be_ours).into_iter().next();
        match file.filter(|_| !folder.join(MARK).exists()) {
            Some(file) => Err(Error::Usage(format!(
                "{} is there already, and is no report of `wherefore ci`: name another folder for the report",
                file.display()
            ))),
            None => Ok(()),
        }
    }

    /// Files of an earlier report are removed.
    pub fn create(folder: &Path, would_be_ours: impl Fn(&str) -> bool) -> Result<ReportFolder, Error> {
        Self::check(folder, &would_be_ours)?;
        private::create_dir_all(folder).map_err(Error::io(folder))?;
        for file in earlier(folder, would_be_ours) {
            fs::remove_file(&file).map_err(Error::io(file))?;
        }
        let mark = folder.join(MARK);
        private::write(&mark, "").map_err(Error::io(mark))?;
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

/// Makes a file that a person named, for the user alone, or replaces what it holds.
pub fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    private::write(path, text).map_err(Error::io(path))
}

/// Writes behind what a file holds, which may be somebody else's; one that is not there is made for the user alone.
pub fn append_text(path: &Path, text: &str) -> Result<(), Error> {
    let opened = match OpenOptions::new().append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => private::create_new(path),
        opened => opened,
    };
    opened.and_then(|mut file| file.write_all(text.as_bytes())).map_err(Error::io(path))
}

fn earlier(folder: &Path, is_ours: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter(|file| file.file_name().to_str().is_some_and(&is_ours)).map(|file| file.path()).collect()
}
