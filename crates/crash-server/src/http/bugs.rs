//! `GET /v1/bugs`, `GET` and `PATCH /v1/bugs/{id}`.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::{Shared, json};
use crate::refused::Refused;
use crate::show;
use crate::store::KeyKind;
use crate::wire::{self, BugId, BugList, MAX_REPORT_BYTES, NewState};

/// More than this nobody reads.
pub const MAX_LISTED: i64 = 1000;

pub async fn list(State(app): Shared, headers: HeaderMap) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let bugs = app.store.bugs(caller.project, MAX_LISTED).await?;
    Ok(json::answer(StatusCode::OK, &BugList { bugs: bugs.iter().map(show::summary).collect() }))
}

pub async fn one(State(app): Shared, Path(bug): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let id = BugId::try_from(bug).map_err(|_| Refused::NotFound)?;
    let bug = app.store.bug(caller.project, &id).await?.ok_or(Refused::NotFound)?;
    Ok(json::answer(StatusCode::OK, &show::detail(&app.store, caller.project, &bug).await?))
}

/// Switches recording for a bug off, or on again.
pub async fn change(
    State(app): Shared,
    Path(bug): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let new: NewState = json::read(&headers, &json::whole(body, MAX_REPORT_BYTES)?)?;
    let id = BugId::try_from(bug).map_err(|_| Refused::NotFound)?;
    let mut writing = app.store.begin().await?;
    writing.lock_project(app.store.dialect(), caller.project).await?;
    let mut bug = writing.bug(caller.project, &id).await?.ok_or(Refused::NotFound)?;
    bug.state = match (new.recording, bug.state) {
        (false, _) => wire::State::Off,
        (true, wire::State::Off) => wire::State::Watching,
        (true, state) => state,
    };
    bug.n_exhausted = 0;
    writing.put_bug(caller.project, &bug).await?;
    writing.commit().await?;
    app.policies.forget(caller.project);
    Ok(json::answer(StatusCode::OK, &show::summary(&bug)))
}
