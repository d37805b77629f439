//! The runs that a server has open. A run stays open as long as the server runs, so that what its questions found out is kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use trace_store::Runs;

use crate::{Error, JudgeRoom, RunChoice, RunOutcome, Session};

pub struct OpenRuns {
    folder: PathBuf,
    /// The run that the server was started for.
    first: Option<String>,
    open: Mutex<HashMap<String, Open>>,
    /// Told of each run that is opened: its index may be missing.
    opened: Box<dyn Fn(&Session) + Send + Sync>,
}

struct Open {
    session: Session,
    since: Instant,
    /// It grows: it is opened again from time to time.
    grows: bool,
    /// Where it is judged, once somebody does.
    room: Option<Arc<JudgeRoom>>,
}

impl OpenRuns {
    /// The runs of the project around a folder.
    pub fn new(folder: PathBuf, first: Option<String>, opened: Box<dyn Fn(&Session) + Send + Sync>) -> OpenRuns {
        OpenRuns { folder, first, open: Mutex::default(), opened }
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
        self.kept(run.clone().unwrap_or_default(), RunChoice(run))
    }

    /// The run that was recorded last, which may be another one each time.
    pub fn latest(&self) -> Result<Session, Error> {
        let number = Runs::around(&self.folder).latest()?;
        self.of(Some(&number.to_string()))
    }

    /// Where a run is judged: one dialogue for all who ask.
    pub fn judge_room(&self, session: &Session) -> Arc<JudgeRoom> {
        let mut open = self.open();
        let of_run = open.values_mut().find(|open| open.session.folder() == session.folder());
        let opened = || Arc::new(JudgeRoom::open(session));
        of_run.map_or_else(opened, |open| open.room.get_or_insert_with(opened).clone())
    }

    fn kept(&self, key: String, choice: RunChoice) -> Result<Session, Error> {
        let known = self.open().get(&key).map(|open| (open.session.clone(), open.is_stale()));
        let session = match known {
            Some((session, false)) if session.is_there() => return Ok(session),
            Some((session, true)) => session.refreshed()?,
            _ => Session::open(&choice, &self.folder)?,
        };
        let grows = session.about().outcome == RunOutcome::Running;
        if !grows {
            (self.opened)(&session);
        }
        self.open().insert(key, Open { session: session.clone(), since: Instant::now(), grows, room: None });
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
