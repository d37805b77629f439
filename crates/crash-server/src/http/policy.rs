//! `GET /v1/policy`.

use std::time::Instant;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::{Shared, json};
use crate::refused::Refused;
use crate::store::KeyKind;
use crate::wire::{COHORTS, PolicyQuery};

pub async fn get(
    State(app): Shared,
    headers: HeaderMap,
    query: Result<Query<PolicyQuery>, QueryRejection>,
) -> Result<Response, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Report).await?;
    app.rates.take(&caller.key, Instant::now())?;
    let wrong = || Refused::Unreadable("it takes a release and a cohort from 0 to 999".to_owned());
    let Query(query) = query.map_err(|_| wrong())?;
    if query.cohort >= COHORTS {
        return Err(wrong());
    }
    let policy = app.policies.policy(&app.store, caller.project, query.cohort).await?;
    let tag = format!("\"{}\"", policy.id);
    let mut response = match is_known(&headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => json::answer(StatusCode::OK, &policy),
    };
    response.headers_mut().insert(ETAG, HeaderValue::from_str(&tag).expect("digits in quotes"));
    Ok(response)
}

fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lists = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag)
}
