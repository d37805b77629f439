//! What a request gets that is not answered: a sentence for the person, and a name for the page.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub struct Failure {
    status: StatusCode,
    body: FailureJson,
}

#[derive(Serialize)]
struct FailureJson {
    id: &'static str,
    error: String,
}

impl Failure {
    /// What was asked makes no sense.
    pub fn bad_request(text: impl Into<String>) -> Failure {
        Failure { status: StatusCode::BAD_REQUEST, body: FailureJson { id: "usage", error: text.into() } }
    }

    /// Somebody else has written in between.
    pub fn conflict(text: &str) -> Failure {
        Failure { status: StatusCode::CONFLICT, body: FailureJson { id: "conflict", error: text.into() } }
    }

    /// A thread of ours ended without an answer.
    pub fn broken() -> Failure {
        let text = "this question broke; the others are not affected";
        Failure { status: StatusCode::INTERNAL_SERVER_ERROR, body: FailureJson { id: "broken", error: text.into() } }
    }
}

impl From<debugger::Error> for Failure {
    fn from(error: debugger::Error) -> Failure {
        let status = match error.id() {
            "no-such-run" => StatusCode::NOT_FOUND,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let text = match &error {
            // What to do about it is a button of the page, and not an option of the command line.
            debugger::Error::NotRecorded { what, .. } => {
                format!("this run did not record what the answer needs: {what}")
            }
            error => error.to_string(),
        };
        Failure { status, body: FailureJson { id: error.id(), error: text } }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
