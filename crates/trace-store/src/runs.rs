use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use trace_model::Languages;

use crate::run::is_being_recorded;
use crate::{Run, StoreError};

/// The numbered runs of a project: the folders in `.wherefore/runs`.
#[derive(Clone, Debug)]
pub struct Runs {
    project: PathBuf,
    folder: PathBuf,
}

const N_TRIES: usize = 10;

impl Runs {
    /// The runs of the project around a folder: those of the nearest `.wherefore`, else of one to be made right there.
    pub fn around(folder: &Path) -> Runs {
        let project = folder.ancestors().find(|folder| folder.join(".wherefore").is_dir()).unwrap_or(folder);
        Runs { project: project.into(), folder: project.join(".wherefore").join("runs") }
    }

    /// The folder that holds `.wherefore`.
    pub fn project(&self) -> &Path {
        &self.project
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Their numbers, oldest first.
    pub fn numbers(&self) -> Vec<u32> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut numbers: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    }

    pub fn latest(&self) -> Result<u32, StoreError> {
        self.numbers().last().copied().ok_or_else(|| StoreError::NoRuns(self.folder.clone()))
    }

    /// The folder of a run that is there.
    pub fn path(&self, number: u32) -> Result<PathBuf, StoreError> {
        let folder = self.folder.join(number.to_string());
        if folder.is_dir() {
            return Ok(folder);
        }
        Err(StoreError::NoSuchRun { name: number.to_string(), available: self.numbers() })
    }

    pub fn open(&self, number: u32, languages: &Languages) -> Result<Run, StoreError> {
        Run::open(&self.path(number)?, languages)
    }

    /// The folder of a run that nobody records into any more.
    pub fn removable(&self, number: u32) -> Result<PathBuf, StoreError> {
        let folder = self.path(number)?;
        if is_being_recorded(&folder) { Err(StoreError::BeingRecorded(number)) } else { Ok(folder) }
    }

    pub fn remove(&self, number: u32) -> Result<(), StoreError> {
        let folder = self.removable(number)?;
        // Somebody may be making its index, and a file at this very moment. The next one it cannot make.
        for _ in 0..N_TRIES {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
                removed => return removed.map_err(StoreError::io(&folder)),
            }
        }
        fs::remove_dir_all(&folder).map_err(StoreError::io(&folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_numbered_and_removed() {
        let project = tempfile::tempdir().unwrap();
        let inner = project.path().join("src");
        fs::create_dir(&inner).unwrap();
        let runs = Runs::around(project.path());
        assert!(matches!(runs.latest(), Err(StoreError::NoRuns(_))));
        for number in 1..=11 {
            fs::create_dir_all(runs.folder().join(number.to_string())).unwrap();
        }
        assert_eq!(Runs::around(&inner).folder(), runs.folder());
        assert_eq!(runs.latest().unwrap(), 11);
        let settings = fs::File::create(runs.folder().join("3").join(trace_format::RunSettings::NAME)).unwrap();
        settings.lock().unwrap();
        assert_eq!(runs.remove(3).unwrap_err().to_string(), "run 3 is still being recorded");
        drop(settings);
        runs.remove(3).unwrap();
        let message = runs.remove(3).unwrap_err().to_string();
        assert_eq!(message, "there is no run 3; there are runs 1, 2, 4, 5, 6, 7, 8, 9, 10, 11");
    }
}
