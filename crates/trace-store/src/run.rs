use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use trace_format::{EXPECTED_FILE, LoadedFile, RunFile, RunSettings, TestRecord, read_tests};
use trace_model::{LanguageRef, Languages};

use crate::code::CodeFolder;
use crate::{ProcessCode, StoreError, Thread};

/// One execution: what was run, and the events of its threads.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    file: RunFile,
    language: LanguageRef,
    threads: Vec<Thread>,
    notes: Vec<String>,
    tests: OnceLock<Vec<TestRecord>>,
}

impl Run {
    /// Opens a run of one of these languages.
    pub fn open(folder: &Path, languages: &Languages) -> Result<Run, StoreError> {
        let path = folder.join(RunFile::NAME);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => StoreError::NotARun(folder.into()),
            _ => StoreError::io(&path)(error),
        })?;
        let file = RunFile::parse(&text)?;
        let language = languages.find(&file.language).ok_or_else(|| StoreError::UnknownLanguage {
            wanted: file.language.clone(),
            known: languages.names().join(", "),
        })?;
        let mut run = Run {
            folder: folder.into(),
            file,
            language,
            threads: Vec::new(),
            notes: Vec::new(),
            tests: OnceLock::new(),
        };
        run.open_threads()?;
        Ok(run)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder still holds this run, and not another one that was recorded since.
    pub fn is_in_its_folder(&self) -> bool {
        let Ok(text) = fs::read_to_string(self.folder.join(RunFile::NAME)) else { return false };
        // One that is just being written is told apart the next time.
        RunFile::parse(&text).map_or(true, |file| file.start == self.file.start)
    }

    /// Whether only some files were to be recorded.
    pub fn leaves_files_out(&self) -> bool {
        let text = fs::read_to_string(self.folder().join(RunSettings::NAME)).unwrap_or_default();
        RunSettings::parse(&text).is_some_and(|settings| !settings.include.is_empty() || !settings.exclude.is_empty())
    }

    pub fn file(&self) -> &RunFile {
        &self.file
    }

    pub fn language(&self) -> LanguageRef {
        self.language
    }

    /// In the order in which they started.
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// What could not be read while opening.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The tests that a test runner told of, in its order.
    pub fn tests(&self) -> &[TestRecord] {
        // A file that cannot be read tells nothing; what else the run holds still does.
        let read = || fs::read(self.folder.join(TestRecord::FILE)).unwrap_or_default();
        self.tests.get_or_init(|| read_tests(&String::from_utf8_lossy(&read())))
    }

    /// Whether the recorder still fills it.
    pub fn is_being_recorded(&self) -> bool {
        is_being_recorded(&self.folder)
    }

    /// What could not be recorded and why, each line once.
    pub fn problems(&self) -> Vec<String> {
        problems(&self.folder)
    }

    /// Bytes on disk, without what depends on how fast the machine was, and without the lists of what was not recorded: that is little.
    pub fn size(&self) -> u64 {
        let lists = |name: &str| name.ends_with(LoadedFile::ENDING) || name == EXPECTED_FILE || name == "starts.txt";
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let unrecorded = entries.filter(|entry| entry.file_name().to_str().is_some_and(lists));
        let bytes: u64 = unrecorded.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum();
        folder_size(&self.folder).saturating_sub(bytes)
    }

    fn open_threads(&mut self) -> Result<(), StoreError> {
        let code_folder = Arc::new(CodeFolder::new(self.folder.join("code"), self.language));
        let mut processes: BTreeMap<u32, Arc<ProcessCode>> = BTreeMap::new();
        for (pid, number) in self.thread_files()? {
            let code = processes.entry(pid).or_insert_with(|| {
                let (code, notes) = ProcessCode::open(&self.folder, pid, self.language, code_folder.clone());
                self.notes.extend(notes);
                Arc::new(code)
            });
            match Thread::open(&self.folder, pid, number, code.clone()) {
                Ok(thread) => self.threads.push(thread),
                Err(error) => self.notes.push(error.to_string()),
            }
        }
        self.threads.sort_by_key(|thread| (thread.start(), thread.pid(), thread.number()));
        Ok(())
    }

    /// Process and thread numbers for which there are events, from the names `4711-0.trace` and `4711-0.ring`.
    fn thread_files(&self) -> Result<Vec<(u32, u32)>, StoreError> {
        let mut threads = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(StoreError::io(&self.folder))?.flatten() {
            let path = entry.path();
            let is_events = path.extension().is_some_and(|extension| extension == "trace" || extension == "ring");
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if let (true, Some((pid, thread))) = (is_events, stem.split_once('-'))
                && let (Ok(pid), Ok(thread)) = (pid.parse(), thread.parse())
            {
                threads.push((pid, thread));
            }
        }
        threads.sort_unstable();
        threads.dedup();
        Ok(threads)
    }
}

/// In the folder of a run: what its recorder and its processes had to say.
pub const PROBLEMS_FILE: &str = "problems.txt";

/// The lines of that file, each once.
pub fn problems(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join(PROBLEMS_FILE)).unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// The recorder holds a lock on the settings while it lives; a process number would tell less, as these come again.
pub(crate) fn is_being_recorded(run: &Path) -> bool {
    let Ok(settings) = File::open(run.join(RunSettings::NAME)) else { return false };
    matches!(settings.try_lock_shared(), Err(TryLockError::WouldBlock))
}

fn folder_size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
        Ok(_) if entry.path().extension().is_some_and(|extension| extension == "times") => 0,
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}
