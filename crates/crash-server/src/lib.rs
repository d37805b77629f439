//! `wherefore collect`: the server that learns from the crashes of deployed programs.
//!
//! Agents send a report of each crash (`POST /v1/reports`) and fetch what to record (`GET /v1/policy`). A report goes
//! into the database first ([`ingest`]); later a task reads it, finds its bug ([`bugs`]) and makes one step of the paper's algorithm
//! ([`growth`]). Who records what follows from the bugs that grow, from the users and from the budget ([`plan`]). Everything is in the
//! database ([`store`]), so instances beside each other need nothing of each other.

mod analysis;
mod auth;
mod bugs;
mod connections;
mod document;
mod growth;
mod http;
mod ingest;
mod limits;
mod log;
mod metrics;
mod openapi;
mod options;
mod page;
mod plan;
mod policies;
mod quota;
mod refused;
mod rehearsal;
mod server;
mod show;
mod sources;
mod store;
mod time;
mod webhook;
pub mod wire;

use std::net::SocketAddr;

pub use growth::Patience;
pub use limits::Rate;
pub use log::Log;
pub use openapi::text as openapi_text;
pub use options::{Database, Options};
pub use plan::Budget;
pub use quota::Quota;
pub use rehearsal::rehearse;
pub use server::{run, serve};
pub use sources::check_map;
pub use store::{DeadLetter, KeyKind, ListedKey};
pub use webhook::Webhook;

#[derive(thiserror::Error, Debug)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::StoreError),
    #[error("cannot listen on {0}: {1}")]
    Address(SocketAddr, std::io::Error),
    #[error(transparent)]
    System(#[from] std::io::Error),
    #[error("the system gives no random numbers: {0}")]
    NoRandomness(String),
}

/// Makes a key for a project, and the project if it is new. The key cannot be told again.
pub fn add_key(database: &Database, project: &str, kind: KeyKind) -> Result<String, Error> {
    server::runtime()?.block_on(async { auth::make_key(&server::open(database).await?, project, kind).await })
}

pub fn list_keys(database: &Database) -> Result<Vec<ListedKey>, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.keys().await?) })
}

/// Gives whether there was such a key.
pub fn revoke_key(database: &Database, id: &str) -> Result<bool, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.revoke_key(id, time::now()).await?) })
}

/// Reports that could not be analysed, the oldest first.
pub fn dead_letters(database: &Database) -> Result<Vec<DeadLetter>, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.dead_letters().await?) })
}

/// Has them analysed once more. Gives how many there were.
pub fn retry_dead_letters(database: &Database) -> Result<u64, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.retry_dead_letters().await?) })
}

pub fn list_projects(database: &Database) -> Result<Vec<String>, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.projects().await?) })
}

/// Removes a project with its keys, reports, bugs and sources. Gives whether there was such a project.
pub fn remove_project(database: &Database, name: &str) -> Result<bool, Error> {
    server::runtime()?.block_on(async { Ok(server::open(database).await?.remove_project(name).await?) })
}
