//! Programs that are run again from the page. A job goes on whoever listens; the page follows it as a stream of events and may end it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use debugger::{Cancel, OnProgress, Output, RecordRequest, Stream};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::watch;

use crate::failure::Failure;
use crate::runs::named;
use crate::sessions::Sessions;

#[derive(Default)]
pub struct Jobs {
    next: AtomicU32,
    known: Mutex<HashMap<u32, Job>>,
}

struct Job {
    cancel: Cancel,
    now: watch::Receiver<JobJson>,
}

#[derive(Serialize)]
pub struct StartedJson {
    job: u32,
}

/// How far a job is.
#[derive(Clone, Default, Serialize)]
pub struct JobJson {
    events: u64,
    bytes: u64,
    /// The end of what the program printed.
    output: String,
    /// Nothing: it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndJson>,
}

#[derive(Clone, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EndJson {
    Recorded { run: Option<u32>, notes: Vec<String> },
    Failed { error: String },
}

/// Runs the command of a run again and records it. No other command can be run from the page.
pub async fn start(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
) -> Result<Json<StartedJson>, Failure> {
    let start = move || {
        let request = sessions.of(named(&run))?.recorded_again()?;
        Ok(Json(StartedJson { job: sessions.jobs.start(request, sessions.folder().into()) }))
    };
    tokio::task::spawn_blocking(start).await.map_err(|_| Failure::broken())?
}

/// The state of a job, each time that it changes, until its end.
pub async fn follow(
    State(sessions): State<Arc<Sessions>>,
    Path(job): Path<u32>,
) -> Result<Sse<impl futures_util::Stream<Item = Result<Event, Infallible>>>, Failure> {
    let now = sessions.jobs.known().get(&job).map(|job| job.now.clone());
    let now = now.ok_or_else(|| Failure::bad_request(format!("there is no job {job}")))?;
    let states = stream::unfold(Some(now), async |following| {
        let mut now = following?;
        let (event, is_over) = {
            let state = now.borrow_and_update();
            (Event::default().json_data(&*state).expect("plain data can be written"), state.end.is_some())
        };
        let next = match is_over {
            true => None,
            false => now.changed().await.is_ok().then_some(now),
        };
        Some((Ok(event), next))
    });
    Ok(Sse::new(states).keep_alive(KeepAlive::default()))
}

pub async fn cancel(State(sessions): State<Arc<Sessions>>, Path(job): Path<u32>) -> Result<(), Failure> {
    let cancel = sessions.jobs.known().get(&job).map(|job| job.cancel.clone());
    cancel.ok_or_else(|| Failure::bad_request(format!("there is no job {job}")))?.cancel();
    Ok(())
}

impl Jobs {
    fn start(&self, request: RecordRequest, folder: std::path::PathBuf) -> u32 {
        let (tell, now) = watch::channel(JobJson::default());
        let cancel = Cancel::default();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.known().insert(number, Job { cancel: cancel.clone(), now });
        let tell = Arc::new(tell);
        let (printing, progressing) = (tell.clone(), tell.clone());
        let request = RecordRequest {
            cancel,
            output: Output::Sink(Arc::new(move |stream, bytes| {
                if stream != Stream::Driver {
                    printing.send_modify(|state| print(&mut state.output, bytes));
                }
            })),
            progress: Some(OnProgress(Arc::new(move |so_far| {
                progressing.send_modify(|state| (state.events, state.bytes) = (so_far.n_events, so_far.n_bytes));
            }))),
            ..request
        };
        thread::spawn(move || {
            let end = match debugger::record(&request, &folder) {
                Ok(recorded) => EndJson::Recorded {
                    run: recorded.folder.file_name().and_then(|name| name.to_str()?.parse().ok()),
                    notes: recorded.notes,
                },
                Err(error) => EndJson::Failed { error: error.to_string() },
            };
            tell.send_modify(|state| state.end = Some(end));
        });
        number
    }

    fn known(&self) -> MutexGuard<'_, HashMap<u32, Job>> {
        self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The newest part is kept: a program may print without end.
fn print(output: &mut String, bytes: &[u8]) {
    output.push_str(&String::from_utf8_lossy(bytes));
    if output.len() > MOST_PRINTED {
        let cut = (output.len() - MOST_PRINTED..output.len()).find(|at| output.is_char_boundary(*at));
        output.drain(..cut.unwrap_or_default());
    }
}

const MOST_PRINTED: usize = 8 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_output_is_kept_and_letters_stay_whole() {
        let mut output = String::new();
        for _ in 0..MOST_PRINTED {
            print(&mut output, "ä".as_bytes());
        }
        assert!(output.len() <= MOST_PRINTED && output.chars().all(|letter| letter == 'ä'));
    }
}
