//! `GET /v1/bugs`; `GET`, `PATCH` and `DELETE /v1/bugs/{id}`.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::{Shared, json};
use crate::refused::Refused;
use crate::show;
use crate::store::{BugFilter, KeyKind};
use crate::wire::{self, BUGS_OF_A_PAGE, BugCursor, BugId, BugList, BugQuery, MAX_REPORT_BYTES, MOST_BUGS, NewState};

/// What a request says of the bugs that it wants.
pub type Wanted = Result<Query<BugQuery>, QueryRejection>;

pub async fn list(State(app): Shared, headers: HeaderMap, wanted: Wanted) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let listed = app.store.bugs(caller.project, &filter(wanted)?).await?;
    let bugs = listed.bugs.iter().map(show::summary).collect();
    Ok(json::answer(StatusCode::OK, &BugList { bugs, next: listed.last.map(cursor) }))
}

pub fn filter(wanted: Wanted) -> Result<BugFilter, Refused> {
    let wrong = || {
        Refused::Unreadable(format!("it takes search, state, limit (1 to {MOST_BUGS}) and the next of a page before"))
    };
    let Query(query) = wanted.map_err(|_| wrong())?;
    let limit = query.limit.unwrap_or(BUGS_OF_A_PAGE);
    if !(1..=MOST_BUGS).contains(&limit) {
        return Err(wrong());
    }
    let behind = query.next.map(|next| behind(&next).ok_or_else(wrong)).transpose()?;
    let search = query.search.map_or_else(String::new, String::from);
    Ok(BugFilter { search, state: query.state, behind, limit: limit.into() })
}

pub fn cursor((last_seen, bug): (i64, BugId)) -> BugCursor {
    BugCursor::try_from(format!("{last_seen}-{bug}")).expect("digits, a dash and 12 digits")
}

fn behind(cursor: &BugCursor) -> Option<(i64, BugId)> {
    let (last_seen, bug) = cursor.as_str().split_once('-')?;
    Some((last_seen.parse().ok()?, BugId::try_from(bug.to_owned()).ok()?))
}

pub async fn remove(State(app): Shared, Path(bug): Path<String>, headers: HeaderMap) -> Result<StatusCode, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let id = BugId::try_from(bug).map_err(|_| Refused::NotFound)?;
    if !app.store.remove_bug(caller.project, &id).await? {
        return Err(Refused::NotFound);
    }
    app.policies.forget(caller.project);
    Ok(StatusCode::NO_CONTENT)
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
    let state = match (new.recording, bug.state) {
        (false, _) => wire::State::Off,
        (true, wire::State::Off) => wire::State::Watching,
        (true, state) => state,
    };
    bug.is_reopening_told &= state == bug.state;
    bug.state = state;
    bug.n_exhausted = 0;
    writing.put_bug(caller.project, &bug).await?;
    writing.commit().await?;
    app.policies.forget(caller.project);
    Ok(json::answer(StatusCode::OK, &show::summary(&bug)))
}
