//! Bodies of JSON, in and out.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::refused::Refused;

/// Text that is no JSON is told apart from JSON that says something else than it should.
pub fn read<T: DeserializeOwned>(headers: &HeaderMap, body: &[u8]) -> Result<T, Refused> {
    if media_type(headers) != Some("application/json") {
        return Err(Refused::WrongContentType);
    }
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        Category::Data => Refused::Unreadable(place(&error)),
        _ => Refused::NotJson(place(&error)),
    })
}

pub fn answer(status: StatusCode, body: &impl Serialize) -> Response {
    let text = serde_json::to_string(body).expect("documents of ours have no odd keys");
    (status, [(CONTENT_TYPE, "application/json")], text).into_response()
}

/// The whole body, if it is not too large.
pub fn whole(body: Result<Bytes, BytesRejection>, most: usize) -> Result<Bytes, Refused> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refused::TooLarge(most),
        _ => Refused::NotJson("it did not arrive whole".to_owned()),
    })
}

/// Without parameters such as `charset`.
pub fn media_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(CONTENT_TYPE)?.to_str().ok()?.split(';').next().map(str::trim)
}

/// What serde says of an error can repeat what was sent, and that may be a secret: only the place is told, and what is wrong in our words.
fn place(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let what = match said.split(' ').take(2).collect::<Vec<_>>()[..] {
        ["missing", "field"] => "a field is missing",
        ["unknown", "field"] => "a field that is not known",
        ["duplicate", "field"] => "a field stands twice",
        ["invalid", "type:"] => "a value of another type was expected",
        _ => "it is not what it should be",
    };
    format!("line {}, column {}: {what}", error.line(), error.column())
}
