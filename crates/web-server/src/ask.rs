//! A question of the page. One that the page has given up, because a newer one took its place, is cancelled: the connection ends,
//! this future is dropped, and with it the hold on the question.

use std::sync::Arc;

use answer_json::{AskedJson, document, line, none};
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use debugger::{Cancel, Control, Error, Question};
use serde::Deserialize;

use crate::failure::Failure;
use crate::sessions::Sessions;

#[derive(Deserialize)]
pub struct AskJson {
    run: Option<String>,
    /// The points of the answer get numbers, under which they can be asked about anywhere: `P2`.
    #[serde(default)]
    numbered: bool,
    question: AskedJson,
}

pub async fn ask(State(sessions): State<Arc<Sessions>>, Json(asked): Json<AskJson>) -> Result<Response, Failure> {
    let question = Question::try_from(asked.question).map_err(Failure::bad_request)?;
    let control = Control::default();
    let held = Held(control.cancel.clone());
    let answer = move || {
        let session = sessions.of(asked.run.as_deref())?;
        let session = if asked.numbered { session } else { session.looking() };
        let document = match session.ask(&question, &control) {
            Ok(reply) => document(&question, &reply),
            // The page offers to run the program again.
            Err(error @ Error::NotRecorded { .. }) => return Err(error.into()),
            Err(error) if error.is_answer() => none(&question, error.to_string()),
            Err(error) => return Err(error.into()),
        };
        Ok(line(&document))
    };
    let text = tokio::task::spawn_blocking(answer).await.unwrap_or_else(|_| Err(Failure::broken()))?;
    drop(held);
    Ok(([(header::CONTENT_TYPE, "application/json")], text).into_response())
}

/// Whoever drops it wants no answer any more; to one that was given it makes no difference.
struct Held(Cancel);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
