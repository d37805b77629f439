//! What Prometheus is told. It is served at an address of its own, so that whoever can send reports cannot read it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::refused::Refused;
use crate::store::{Store, StoreError};

/// Of this instance, since it started.
#[derive(Default)]
pub struct Metrics {
    /// By status.
    answers: Mutex<BTreeMap<u16, i64>>,
}

impl Metrics {
    pub fn count_answer(&self, status: StatusCode) {
        *self.answers.lock().expect("nobody panics here").entry(status.as_u16()).or_default() += 1;
    }
}

pub fn router(store: Store, metrics: Arc<Metrics>) -> Router {
    Router::new().route("/metrics", get(metrics_text)).with_state((store, metrics))
}

async fn metrics_text(State((store, metrics)): State<(Store, Arc<Metrics>)>) -> Result<impl IntoResponse, Refused> {
    let text = text(&store, &metrics).await?;
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

async fn text(store: &Store, metrics: &Metrics) -> Result<String, StoreError> {
    let mut text = String::new();
    let mut family = |name: &str, kind: &str, help: &str, samples: Vec<(String, i64)>| {
        let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in samples {
            let _ = writeln!(text, "{name}{labels} {value}");
        }
    };
    let answers = metrics.answers.lock().expect("nobody panics here").clone();
    let answers = answers.into_iter().map(|(status, n)| (format!("{{status=\"{status}\"}}"), n));
    family("wherefore_answers_total", "counter", "Requests that this instance answered.", answers.collect());
    let bugs = store.count_bugs().await?;
    let bugs = bugs.into_iter().map(|(state, n)| (format!("{{state=\"{state}\"}}"), n));
    family("wherefore_bugs", "gauge", "Bugs of all projects.", bugs.collect());
    let (waiting, dead) = store.count_waiting().await?;
    family("wherefore_waiting_reports", "gauge", "Reports that were not analysed yet.", vec![(String::new(), waiting)]);
    family("wherefore_dead_letters", "gauge", "Reports that could not be analysed.", vec![(String::new(), dead)]);
    Ok(text)
}
