//! Reports on their way into the database.
//!
//! Who sent a report is told that it was taken only when it is durable. A commit waits for the disk, so many reports share one:
//! while one batch is written the next one collects.

use std::sync::Arc;

use tokio::sync::{Mutex, Notify, mpsc, oneshot};

use crate::log::Log;
use crate::refused::Refused;
use crate::store::{NewReport, Store};

/// More than this wait for no commit; who sends another is told to come again.
const MAX_WAITING: usize = 4096;
const MAX_BATCH: usize = 256;

#[derive(Clone)]
pub struct Ingest {
    sender: mpsc::Sender<Waiting>,
}

struct Waiting {
    report: NewReport,
    answer: oneshot::Sender<Option<bool>>,
}

impl Ingest {
    /// `stored` is told whenever there is something to analyse.
    pub fn start(store: &Store, stored: &Arc<Notify>, log: &Log) -> Ingest {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..store.dialect().writers() {
            tokio::spawn(write(store.clone(), receiver.clone(), stored.clone(), log.clone()));
        }
        Ingest { sender }
    }

    /// Gives whether the report is new, once it is durable.
    pub async fn add(&self, report: NewReport) -> Result<bool, Refused> {
        let (answer, answered) = oneshot::channel();
        self.sender.try_send(Waiting { report, answer }).map_err(|_| Refused::Busy)?;
        answered.await.ok().flatten().ok_or(Refused::Busy)
    }
}

async fn write(store: Store, receiver: Arc<Mutex<mpsc::Receiver<Waiting>>>, stored: Arc<Notify>, log: Log) {
    loop {
        let mut batch = Vec::new();
        if receiver.lock().await.recv_many(&mut batch, MAX_BATCH).await == 0 {
            return;
        }
        let (reports, answers): (Vec<NewReport>, Vec<_>) =
            batch.into_iter().map(|waiting| (waiting.report, waiting.answer)).unzip();
        let outcome = store.add_reports(&reports).await;
        if let Err(error) = &outcome {
            log.say(&format!("{} reports could not be stored: {error}", reports.len()));
        }
        let are_new = outcome.ok();
        for (number, answer) in answers.into_iter().enumerate() {
            // Whose project was removed is told to come again, and then that there is no such key.
            // Who does not wait any more does not need to know.
            let _ = answer.send(are_new.as_ref().and_then(|are_new| are_new[number]));
        }
        stored.notify_one();
    }
}
