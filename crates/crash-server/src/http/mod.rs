//! The routes.

mod bugs;
mod json;
mod maps;
mod policy;
mod reports;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::map_response_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

use crate::auth::Keys;
use crate::ingest::Ingest;
use crate::limits::Rates;
use crate::log::Log;
use crate::metrics::Metrics;
use crate::policies::Policies;
use crate::refused::{OurFault, Refused};
use crate::store::Store;
use crate::wire::MAX_REPORT_BYTES;
use crate::{openapi, page};

pub use bugs::{Wanted, cursor, filter};

/// What every request may need.
pub struct App {
    pub store: Store,
    pub keys: Keys,
    pub rates: Rates,
    pub ingest: Ingest,
    pub policies: Arc<Policies>,
    pub metrics: Arc<Metrics>,
    pub log: Log,
}

pub type Shared = State<Arc<App>>;

/// Source maps of bundles are large.
pub const MAX_MAP_BYTES: usize = 32 * 1024 * 1024;

/// Who sends slowly is not waited for.
const LONGEST: Duration = Duration::from_secs(20);

/// Pages have no scripts, and nothing of others.
const CONTENT_POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

pub fn router(app: Arc<App>) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    Router::new()
        .route("/v1/reports", post(reports::add).layer(DefaultBodyLimit::max(MAX_REPORT_BYTES)))
        .route("/v1/policy", get(policy::get))
        .route("/v1/releases/{release}/maps/{*file}", put(maps::put).layer(DefaultBodyLimit::max(MAX_MAP_BYTES)))
        .route("/v1/bugs", get(bugs::list))
        .route("/v1/bugs/{bug}", get(bugs::one).patch(bugs::change).delete(bugs::remove))
        .route("/openapi.json", get(|| async { ([(CONTENT_TYPE, "application/json")], openapi::text()) }))
        .route("/health", get(health))
        .route("/", get(page::list))
        .route("/bugs/{bug}", get(page::one))
        .route("/style.css", get(|| async { ([(CONTENT_TYPE, "text/css; charset=utf-8")], page::STYLE) }))
        .fallback(async || Refused::NotFound)
        .method_not_allowed_fallback(async || Refused::NotThisMethod)
        .layer(header(CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(REFERRER_POLICY, "no-referrer"))
        .layer(header(CACHE_CONTROL, "no-store"))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(map_response_with_state(app.clone(), tell_operator))
        .with_state(app)
}

/// Whether the server and its database answer, for whoever starts it or puts it behind others. It needs no key.
async fn health(State(app): Shared) -> Result<StatusCode, Refused> {
    app.store.ping().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a panic says may hold something that came in, so nobody is told.
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(OurFault("a request failed by a mistake of ours".to_owned()));
    response
}

async fn tell_operator(State(app): Shared, response: Response) -> Response {
    app.metrics.count_answer(response.status());
    if let Some(OurFault(what)) = response.extensions().get() {
        app.log.say(what);
    }
    response
}
