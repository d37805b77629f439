//! Programs that are run again from the page: to record everything, or what one question needs. A job goes on whoever listens; the page
//! follows it as a stream of events and may end it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use answer_json::{AskedJson, Document, document};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use debugger::{
    Cancel, Control, Error, OnProgress, Output, Progress, Question, RecordProgress, RecordRequest, Rerun, Stream,
    Surroundings,
};
use futures_util::stream;
use serde::{Deserialize, Serialize};
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
#[derive(Default, Serialize)]
pub struct JobJson {
    events: u64,
    bytes: u64,
    /// Of a question: for which time the program runs, and what is recorded then.
    #[serde(skip_serializing_if = "Option::is_none")]
    running: Option<RunningJson>,
    /// The end of what the program printed.
    output: String,
    /// Nothing: it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndJson>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EndJson {
    Recorded { run: Option<u32>, notes: Vec<String> },
    Answered { run: Option<u32>, n_runs: usize, document: Box<Document> },
    Failed { error: String },
}

#[derive(Serialize)]
struct RunningJson {
    number: usize,
    /// Sentences: `every write of a property named total`. None: everything.
    needs: Vec<String>,
}

#[derive(Deserialize)]
pub struct AskAgainJson {
    question: AskedJson,
}

/// Runs the command of a run again and records it. No other command can be run from the page.
pub async fn record(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
) -> Result<Json<StartedJson>, Failure> {
    let start = move || {
        let request = sessions.of(named(&run))?.recorded_again()?;
        let folder = sessions.folder().to_owned();
        let job = sessions.jobs.start(move |telling| {
            let (output, progress) = telling.of_recording();
            let cancel = telling.cancel.clone();
            let recorded = debugger::record(&RecordRequest { cancel, output, progress, ..request }, &folder)?;
            Ok(EndJson::Recorded { run: number_of(&recorded.folder), notes: recorded.notes })
        });
        Ok(Json(StartedJson { job }))
    };
    tokio::task::spawn_blocking(start).await.map_err(|_| Failure::broken())?
}

/// Runs the command of a run again, as often as it takes, and records no more than a question needs.
pub async fn ask(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
    Json(asked): Json<AskAgainJson>,
) -> Result<Json<StartedJson>, Failure> {
    let question = Question::try_from(asked.question).map_err(Failure::bad_request)?;
    let start = move || {
        let surroundings =
            Surroundings { folder: None, output: Output::Nothing, has_input: false, progress: None, tests_over: None };
        let rerun = sessions.of(named(&run))?.asked_again(question, surroundings)?;
        let folder = sessions.folder().to_owned();
        let job = sessions.jobs.start(move |telling| {
            let (output, progress) = telling.of_recording();
            let surroundings = Surroundings { output, progress, ..rerun.surroundings };
            let rerun = Rerun { surroundings, ..rerun };
            let asked = rerun.ask(&folder, &telling.of_asking())?;
            let mut document = document(&rerun.question, &asked.reply);
            document.notes.extend(asked.notes);
            let run = number_of(asked.session.folder());
            Ok(EndJson::Answered { run, n_runs: asked.n_runs, document: Box::new(document) })
        });
        Ok(Json(StartedJson { job }))
    };
    tokio::task::spawn_blocking(start).await.map_err(|_| Failure::broken())?
}

/// A run outside of the project has none.
fn number_of(run: &std::path::Path) -> Option<u32> {
    run.file_name()?.to_str()?.parse().ok()
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

/// Whom a job tells how far it is.
struct Telling {
    tell: watch::Sender<JobJson>,
    cancel: Cancel,
}

impl Telling {
    /// Where what the program prints goes, and who hears how much is recorded.
    fn of_recording(self: &Arc<Telling>) -> (Output, Option<OnProgress>) {
        let (printing, progressing) = (self.clone(), self.clone());
        let sink = move |stream: Stream, bytes: &[u8]| {
            if stream != Stream::Driver {
                printing.tell.send_modify(|state| print(&mut state.output, bytes));
            }
        };
        let progress = move |so_far: RecordProgress| {
            progressing.tell.send_modify(|state| (state.events, state.bytes) = (so_far.n_events, so_far.n_bytes));
        };
        (Output::Sink(Arc::new(sink)), Some(OnProgress(Arc::new(progress))))
    }

    fn of_asking(self: &Arc<Telling>) -> Control {
        let told = self.clone();
        let progress = move |progress| {
            if let Progress::Running { number, plan } = progress {
                let running = RunningJson { number, needs: plan.needs };
                told.tell.send_modify(|state| state.running = Some(running));
            }
        };
        Control { cancel: self.cancel.clone(), progress: Some(Arc::new(progress)) }
    }
}

impl Jobs {
    fn start(&self, work: impl FnOnce(&Arc<Telling>) -> Result<EndJson, Error> + Send + 'static) -> u32 {
        let (tell, now) = watch::channel(JobJson::default());
        let telling = Arc::new(Telling { tell, cancel: Cancel::default() });
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut known = self.known();
        // Whoever started one that is over long ago has heard of it.
        known.retain(|older, job| *older + MOST_OVER > number || job.now.borrow().end.is_none());
        known.insert(number, Job { cancel: telling.cancel.clone(), now });
        drop(known);
        thread::spawn(move || {
            let end = work(&telling).unwrap_or_else(|error| {
                let is_stopped = telling.cancel.is_cancelled();
                let text =
                    if is_stopped { "it was stopped before there was an answer".into() } else { error.to_string() };
                EndJson::Failed { error: text }
            });
            telling.tell.send_modify(|state| state.end = Some(end));
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
/// So many jobs that are over are remembered.
const MOST_OVER: u32 = 16;

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
