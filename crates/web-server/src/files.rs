//! The page: what `cargo xtask build` made of `web/`, inside this binary. No other file is ever read for a request.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// Whether the page was built before this binary.
pub fn has_page() -> bool {
    Page::get(INDEX).is_some()
}

pub async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { INDEX } else { path };
    match Page::get(path) {
        Some(file) => ([(header::CONTENT_TYPE, content_type(path))], file.data).into_response(),
        None if path == INDEX => (StatusCode::NOT_FOUND, NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

const INDEX: &str = "index.html";
const NOT_BUILT: &str = "the page was not built: `cargo xtask build` builds it, where npm is installed\n";

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
