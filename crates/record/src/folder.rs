//! `.wherefore/runs/N`: one folder for each run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use trace_format::RunFile;
use trace_store::Runs;

/// Makes the next run folder. Two recorders at the same time get two.
pub fn create_run(folder: &Path) -> io::Result<PathBuf> {
    let folder = fs::canonicalize(folder)?;
    let runs = Runs::around(&folder);
    let all = runs.folder();
    if !all.exists() {
        fs::create_dir_all(all)?;
        // Recordings do not belong into version control.
        fs::write(folder.join(".wherefore/.gitignore"), "*\n")?;
    }
    for number in runs.numbers().last().map_or(1, |last| last + 1).. {
        let run = all.join(number.to_string());
        match fs::create_dir(&run) {
            Ok(()) => return Ok(run),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no run number is left"))
}

/// Makes this very folder; two runs in one would be read as one.
pub fn create_empty(run: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(run)?;
    if fs::read_dir(run)?.next().is_some() {
        return Err(io::Error::other("the folder is not empty"));
    }
    fs::canonicalize(run)
}

pub fn write_run_file(run: &Path, file: &RunFile) -> io::Result<()> {
    let unfinished = run.join("run.new");
    fs::write(&unfinished, file.to_text())?;
    fs::rename(&unfinished, run.join(RunFile::NAME))
}

/// What the recorded processes had to say; each line once.
pub fn problems(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join("problems.txt")).unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
    lines
}
