//! `.wherefore/runs/N`: one folder for each run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use trace_format::{RunFile, RunSettings, private};
use trace_store::{PROBLEMS_FILE, Runs};

/// Makes the next run folder. Two recorders at the same time get two.
pub fn create_run(folder: &Path) -> io::Result<PathBuf> {
    let folder = fs::canonicalize(folder)?;
    let runs = Runs::around(&folder);
    let all = runs.folder();
    if !all.exists() {
        private::create_dir_all(all)?;
        // Recordings do not belong into version control.
        private::write(&folder.join(".wherefore/.gitignore"), "*\n")?;
    }
    // Earlier versions made it readable for everybody. On a file system without such rights it stays as it is.
    let _ = private::restrict_folder(&folder.join(".wherefore"));
    for number in runs.numbers().last().map_or(1, |last| last + 1).. {
        let run = all.join(number.to_string());
        match private::create_dir(&run) {
            Ok(()) => return Ok(run),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no run number is left"))
}

/// Makes this very folder; two runs in one would be read as one.
pub fn create_empty(run: &Path) -> io::Result<PathBuf> {
    if let Some(parent) = run.parent() {
        // The folders around it are not ours.
        fs::create_dir_all(parent)?;
    }
    private::create_dir_all(run)?;
    if fs::read_dir(run)?.next().is_some() {
        return Err(io::Error::other("the folder is not empty"));
    }
    fs::canonicalize(run)
}

pub fn write_run_file(run: &Path, file: &RunFile) -> io::Result<()> {
    let unfinished = run.join("run.new");
    private::write(&unfinished, file.to_text())?;
    fs::rename(&unfinished, run.join(RunFile::NAME))
}

/// As long as this lives, the run counts as being recorded. It ends with the process, however that ends.
pub struct BeingRecorded(File);

impl Drop for BeingRecorded {
    fn drop(&mut self) {
        // Closing the file would not do it while a child that another thread starts has it, too.
        let _ = self.0.unlock();
    }
}

/// Writes `settings.txt` and locks it.
pub fn write_settings(run: &Path, settings: &RunSettings) -> io::Result<BeingRecorded> {
    let mut file = private::create(&run.join(RunSettings::NAME))?;
    file.write_all(settings.to_text().as_bytes())?;
    // Whoever looks whether it is locked has it locked for that moment. A file system without locks is no reason not to record.
    let _ = file.lock();
    Ok(BeingRecorded(file))
}

/// Adds what the recorder has to say to what the recorded processes said, and gives all of it.
pub fn keep_problems(run: &Path, own: Vec<String>) -> Vec<String> {
    let text: String = own.iter().map(|problem| format!("{}\n", problem.replace('\n', " "))).collect();
    if !text.is_empty() {
        // On a full disk they are told only now.
        let _ = private::append(&run.join(PROBLEMS_FILE)).and_then(|mut file| file.write_all(text.as_bytes()));
    }
    let mut all = own;
    all.extend(trace_store::problems(run).into_iter().filter(|problem| !all.contains(problem)).collect::<Vec<_>>());
    all
}
