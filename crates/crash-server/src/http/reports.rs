//! `POST /v1/reports`.

use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::{Shared, json};
use crate::policies;
use crate::refused::Refused;
use crate::store::{KeyKind, NewReport};
use crate::time;
use crate::wire::{MAX_REPORT_BYTES, Report, Taken, Verdict};

pub async fn add(
    State(app): Shared,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Report).await?;
    app.rates.take(&caller.key, Instant::now())?;
    let body = json::whole(body, MAX_REPORT_BYTES);
    // So much was read of one that is too large.
    app.rates.charge(&caller.key, body.as_ref().map_or(MAX_REPORT_BYTES, Bytes::len));
    let body = body?;
    let report: Report = json::read(&headers, &body)?;
    if report.policy.as_ref().is_some_and(|policy| !policies::is_of_project(policy, caller.project)) {
        return Err(Refused::PolicyOfOtherProject);
    }
    // What is stored is what was understood, not what was sent.
    let body = serde_json::to_string(&report).expect("a report has no odd keys");
    let (id, received_at) = (report.id.to_string(), time::now());
    let new = NewReport { project: caller.project, id, key: caller.key, received_at, body };
    let (status, verdict) = match app.ingest.add(new).await? {
        true => (StatusCode::ACCEPTED, Verdict::Accepted),
        false => (StatusCode::OK, Verdict::Known),
    };
    Ok(json::answer(status, &Taken { status: verdict }))
}
