//! The runs that are open. A run stays open as long as the server runs, so that what its questions found out is kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use debugger::{Error, RunChoice, RunOutcome, Session};

use crate::jobs::Jobs;
use crate::judge::Judges;

pub struct Sessions {
    folder: PathBuf,
    /// The run that the server was started for.
    first: Option<String>,
    open: Mutex<HashMap<String, Open>>,
    opened: Opened,
    pub judges: Judges,
    pub jobs: Jobs,
}

type Opened = Box<dyn Fn(&Session) + Send + Sync>;

struct Open {
    session: Session,
    since: Instant,
    /// It grows: it is opened again from time to time.
    grows: bool,
}

impl Sessions {
    pub fn new(folder: PathBuf, first: Option<String>, opened: Opened) -> Sessions {
        Sessions { folder, first, open: Mutex::default(), opened, judges: Judges::default(), jobs: Jobs::default() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The run of a name: its number, or nothing for the one that the server was started for. No other folder can be named.
    pub fn of(&self, run: Option<&str>) -> Result<Session, Error> {
        let run = match run {
            Some(run) if run.parse::<u32>().is_err() => {
                return Err(Error::Usage(format!("{run} is no run: runs are named by their numbers")));
            }
            run => run.map(str::to_owned).or_else(|| self.first.clone()),
        };
        let key = run.clone().unwrap_or_default();
        let known = self.open().get(&key).map(|open| (open.session.clone(), open.is_stale()));
        let session = match known {
            Some((session, false)) if session.folder().exists() => return Ok(session),
            Some((session, true)) => session.refreshed()?,
            _ => Session::open(&RunChoice(run), &self.folder)?,
        };
        let grows = session.about().outcome == RunOutcome::Running;
        if !grows {
            (self.opened)(&session);
        }
        self.open().insert(key, Open { session: session.clone(), since: Instant::now(), grows });
        Ok(session)
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Open {
    fn is_stale(&self) -> bool {
        self.grows && self.since.elapsed() > FRESH
    }
}

/// So long a run that grows is as it was.
const FRESH: Duration = Duration::from_millis(900);
