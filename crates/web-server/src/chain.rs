//! The chain of questions that a person asked of a run, kept with the run. What is in it is the page's affair.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::failure::Failure;
use crate::runs::named;
use crate::sessions::Sessions;

/// The chain, with a revision: whoever writes says on which one that rests.
pub async fn read(State(sessions): State<Arc<Sessions>>, Path(run): Path<String>) -> Result<Response, Failure> {
    let read = move || Ok(sessions.of(named(&run))?.kept_chain());
    let kept = tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(Failure::broken()))?;
    Ok(shown(kept.text, kept.revision))
}

pub async fn write(
    State(sessions): State<Arc<Sessions>>,
    Path(run): Path<String>,
    headers: HeaderMap,
    text: String,
) -> Result<Response, Failure> {
    let based_on = headers.get(header::IF_MATCH).and_then(|value| value.to_str().ok()?.trim_matches('"').parse().ok());
    let based_on = based_on.ok_or_else(|| Failure::bad_request("a chain is written over a revision: If-Match"))?;
    serde_json::from_str::<serde::de::IgnoredAny>(&text).map_err(|_| Failure::bad_request("a chain is JSON"))?;
    let write = move || match sessions.of(named(&run))?.keep_chain(&text, based_on)? {
        Some(revision) => Ok((text, revision)),
        None => Err(Failure::conflict("another page has changed the chain")),
    };
    let (text, revision) = tokio::task::spawn_blocking(write).await.unwrap_or_else(|_| Err(Failure::broken()))?;
    Ok(shown(text, revision))
}

fn shown(text: String, revision: u64) -> Response {
    let text = if text.is_empty() { "null".into() } else { text };
    let headers = [(header::CONTENT_TYPE, "application/json".to_owned()), (header::ETAG, format!("\"{revision}\""))];
    (headers, text).into_response()
}
