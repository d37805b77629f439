//! The runs of the project.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use debugger::{PageRequest, RunOutcome, RunSummary};
use serde::Serialize;

use crate::failure::Failure;
use crate::sessions::Sessions;

#[derive(Serialize)]
pub struct RunJson {
    /// Nothing: a run that lies outside of the project.
    number: Option<u32>,
    command: Vec<String>,
    /// Microseconds since 1970.
    start: u64,
    /// In words: `exited with 1`, `killed by signal 9`, `running`, `unfinished`.
    outcome: String,
    failed: bool,
    running: bool,
    cancelled: bool,
    size: u64,
    events: u64,
    problem: Option<String>,
}

/// Newest first.
pub async fn list(State(sessions): State<Arc<Sessions>>) -> Result<Json<Vec<RunJson>>, Failure> {
    let list = move || {
        let runs = debugger::runs(sessions.folder(), &PageRequest::default())?;
        Ok(Json(runs.items.into_iter().rev().map(RunJson::from).collect()))
    };
    tokio::task::spawn_blocking(list).await.map_err(|_| Failure::broken())?
}

/// One run; `first` is the one that the server was started for.
pub async fn one(State(sessions): State<Arc<Sessions>>, Path(run): Path<String>) -> Result<Json<RunJson>, Failure> {
    let about = move || Ok(Json(sessions.of(named(&run))?.about().into()));
    tokio::task::spawn_blocking(about).await.map_err(|_| Failure::broken())?
}

/// The run that an address names.
pub fn named(run: &str) -> Option<&str> {
    Some(run).filter(|run| *run != FIRST)
}

const FIRST: &str = "first";

impl From<RunSummary> for RunJson {
    fn from(run: RunSummary) -> RunJson {
        RunJson {
            number: Some(run.number).filter(|number| *number > 0),
            command: run.command,
            start: run.start,
            outcome: match run.outcome {
                RunOutcome::Exited(code) => format!("exited with {code}"),
                RunOutcome::Killed { signal } => format!("killed by signal {signal}"),
                RunOutcome::Running => "is being recorded".into(),
                RunOutcome::Unfinished => "unfinished".into(),
            },
            failed: !matches!(run.outcome, RunOutcome::Exited(0) | RunOutcome::Running),
            running: run.outcome == RunOutcome::Running,
            cancelled: run.is_cancelled,
            size: run.size,
            events: run.n_events,
            problem: run.problem,
        }
    }
}
