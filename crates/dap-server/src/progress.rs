//! How far something long is, for a client that shows it and can cancel it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::outlet::Outlet;
use crate::protocol::{ProgressStart, ProgressUpdate};

/// Shown from its first word on, until it is dropped.
pub struct Progress {
    out: Arc<Outlet>,
    id: String,
    title: &'static str,
    /// When the client was told last.
    told: Mutex<Option<Instant>>,
    is_wanted: bool,
}

impl Progress {
    pub fn new(out: Arc<Outlet>, request: i64, title: &'static str, is_wanted: bool) -> Progress {
        Progress { out, id: format!("{PREFIX}{request}"), title, told: Mutex::default(), is_wanted }
    }

    pub fn tell(&self, message: &str, percentage: Option<u64>) {
        if !self.is_wanted {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match *told {
            Some(last) if last.elapsed() < BETWEEN => return,
            Some(_) => {
                self.out.event("progressUpdate", ProgressUpdate { progress_id: &self.id, message, percentage });
            }
            None => self.out.event(
                "progressStart",
                ProgressStart {
                    progress_id: &self.id,
                    title: self.title,
                    message,
                    cancellable: true,
                    request_id: request_of(&self.id),
                    percentage,
                },
            ),
        }
        *told = Some(Instant::now());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let told = self.told.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        if told.is_some() {
            self.out.event("progressEnd", json!({"progressId": self.id}));
        }
    }
}

/// The request that a progress belongs to.
pub fn request_of(id: &str) -> Option<i64> {
    id.strip_prefix(PREFIX)?.parse().ok()
}

const PREFIX: &str = "request-";
const BETWEEN: Duration = Duration::from_millis(200);
