//! `PUT /v1/releases/{release}/maps/{file}`.

use axum::body::Bytes;
use axum::extract::{FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode};

use super::{MAX_MAP_BYTES, Shared, json};
use crate::refused::Refused;
use crate::sources::check_map;
use crate::store::{Content, ContentKind, KeyKind};
use crate::wire::{FileName, Release};

pub async fn put(
    State(app): Shared,
    Path((release, file)): Path<(String, String)>,
    headers: HeaderMap,
    request: Request,
) -> Result<StatusCode, Refused> {
    let caller = app.keys.check(&app.store, &headers, KeyKind::Operator).await?;
    let release = Release::try_from(release).map_err(|why| Refused::Unreadable(format!("the release: {why}")))?;
    let file = FileName::try_from(file).map_err(|why| Refused::Unreadable(format!("the file: {why}")))?;
    let kind = match json::media_type(&headers) {
        Some("application/json") => ContentKind::Map,
        Some("text/plain" | "text/javascript") => ContentKind::Source,
        _ => return Err(Refused::WrongContentType),
    };
    // Whoever has no key sends nothing so large.
    let body = Bytes::from_request(request, &app).await;
    let bytes = json::whole(body, MAX_MAP_BYTES)?.to_vec();
    if kind == ContentKind::Map {
        check_map(&bytes).map_err(Refused::Unreadable)?;
    }
    app.store.put_map(caller.project, &release, &file, &Content { kind, bytes }).await?;
    Ok(StatusCode::NO_CONTENT)
}
