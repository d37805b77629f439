use std::path::{Path, PathBuf};

use trace_format::ProgramExit;
use trace_store::{Run, Runs, StoreError};

use crate::languages::{languages, open_run};
use crate::page::{Cursor, Page, PageRequest};
use crate::{Error, Session};

/// A run, by its number in the project or by its folder; the latest if nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunChoice(pub Option<String>);

impl RunChoice {
    /// Whether it is there, before anything long is done with it.
    pub fn check(&self, folder: &Path) -> Result<(), Error> {
        match self.0.as_ref().map(|text| text.parse()) {
            Some(Ok(number)) => Runs::around(folder).path(number).map(drop).map_err(Error::from),
            Some(Err(_)) => self.open(folder).map(drop),
            None => Ok(()),
        }
    }

    pub(crate) fn open(&self, folder: &Path) -> Result<Run, Error> {
        let runs = Runs::around(folder);
        let number = match &self.0 {
            None => runs.latest()?,
            Some(text) => match text.parse() {
                Ok(number) => number,
                Err(_) => return open_folder(folder, text),
            },
        };
        Ok(runs.open(number, &languages())?)
    }
}

/// A run by its folder, as the user sees it, and as it is called in what is said about it.
fn open_folder(folder: &Path, text: &str) -> Result<Run, Error> {
    open_run(&folder.join(text)).map_err(|error| match error {
        StoreError::NotARun(_) => StoreError::NotARun(text.into()).into(),
        other => other.into(),
    })
}

/// A line of the list of runs.
#[derive(Clone, Debug)]
pub struct RunSummary {
    pub number: u32,
    pub folder: PathBuf,
    pub command: Vec<String>,
    /// Microseconds since 1970.
    pub start: u64,
    pub outcome: RunOutcome,
    /// Whether it was ended by whoever had it recorded.
    pub is_cancelled: bool,
    /// Bytes on disk.
    pub size: u64,
    pub n_events: u64,
    /// Set if the run cannot be opened; then the rest is empty.
    pub problem: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    Exited(i32),
    Killed {
        signal: i32,
    },
    /// It is still being recorded.
    Running,
    /// Its recorder was killed too.
    Unfinished,
}

impl From<ProgramExit> for RunOutcome {
    fn from(outcome: ProgramExit) -> RunOutcome {
        match outcome {
            ProgramExit::Exited(code) => RunOutcome::Exited(code),
            ProgramExit::Killed { signal } => RunOutcome::Killed { signal },
        }
    }
}

/// The runs of the project around a folder, oldest first.
pub fn runs(folder: &Path, page: &PageRequest) -> Result<Page<RunSummary>, Error> {
    let runs = Runs::around(folder);
    let numbers = runs.numbers();
    let start = page.numbers(LIST)?.map_or(0, |[first]| numbers.partition_point(|number| u64::from(*number) < first));
    let Page { items, next, n_all } = Page::cut(numbers, start, page, |next| Cursor::at(LIST, [u64::from(*next)]));
    Ok(Page { items: items.into_iter().map(|number| summary(&runs, number)).collect(), next, n_all })
}

const LIST: &str = "runs";

/// Removes runs; none of them if one is not there, or still being recorded.
pub fn remove_runs(folder: &Path, numbers: &[u32]) -> Result<(), Error> {
    let runs = Runs::around(folder);
    for number in numbers {
        runs.removable(*number)?;
    }
    for number in numbers {
        runs.remove(*number)?;
    }
    Ok(())
}

/// Removes all but the latest `n_kept` runs, and but those that are still being recorded. Gives the numbers of those removed.
pub fn prune_runs(folder: &Path, n_kept: usize) -> Result<Vec<u32>, Error> {
    let runs = Runs::around(folder);
    let mut numbers = runs.numbers();
    numbers.truncate(numbers.len().saturating_sub(n_kept));
    numbers.retain(|number| runs.removable(*number).is_ok());
    for number in &numbers {
        runs.remove(*number)?;
    }
    Ok(numbers)
}

/// How many events a run has, those included that `--keep-last` dropped.
pub(crate) fn count_events(run: &Run) -> u64 {
    run.file().n_events.unwrap_or_else(|| run.threads().iter().map(|thread| thread.counts().events).sum())
}

pub(crate) fn outcome_of(run: &Run) -> RunOutcome {
    match run.file().outcome {
        Some(outcome) => outcome.into(),
        None if run.is_being_recorded() => RunOutcome::Running,
        None => RunOutcome::Unfinished,
    }
}

impl Session {
    /// The line that this run has in the list. Its number is 0 where it does not lie among the others.
    pub fn about(&self) -> RunSummary {
        let name = self.folder().file_name().and_then(|name| name.to_str()?.parse().ok());
        let mut summary = RunSummary::unknown(name.unwrap_or_default(), self.folder().into());
        summary.tell_of(self.run());
        summary
    }

    /// Where its command was started.
    pub fn command_folder(&self) -> &str {
        &self.run().file().folder
    }

    /// Whether the run is still in its folder: it may have been removed, and another one may have its number since.
    pub fn is_there(&self) -> bool {
        self.run().is_in_its_folder()
    }
}

impl RunSummary {
    fn unknown(number: u32, folder: PathBuf) -> RunSummary {
        RunSummary {
            number,
            folder,
            command: Vec::new(),
            start: 0,
            outcome: RunOutcome::Unfinished,
            is_cancelled: false,
            size: 0,
            n_events: 0,
            problem: None,
        }
    }

    fn tell_of(&mut self, run: &Run) {
        self.command = run.file().command.clone();
        self.start = run.file().start;
        self.outcome = outcome_of(run);
        self.is_cancelled = record::Ending::is_cancelled(run.file());
        self.size = run.size();
        self.n_events = count_events(run);
    }
}

fn summary(runs: &Runs, number: u32) -> RunSummary {
    let mut summary = RunSummary::unknown(number, runs.folder().join(number.to_string()));
    match runs.open(number, &languages()) {
        Ok(run) => summary.tell_of(&run),
        Err(error) => summary.problem = Some(error.to_string()),
    }
    summary
}
