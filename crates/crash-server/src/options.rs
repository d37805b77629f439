use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::growth::Patience;
use crate::limits::Rate;
use crate::plan::Budget;
use crate::quota::Quota;
use crate::webhook::Webhook;

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Options {
    pub listen: SocketAddr,
    pub database: Database,
    pub budget: Budget,
    pub patience: Patience,
    pub rate: Rate,
    pub quota: Quota,
    /// So long the head of a request may take.
    pub longest_head: Duration,
    /// Who is told of new bugs.
    pub webhook: Option<Webhook>,
    /// Where metrics are served, if they are.
    pub metrics: Option<SocketAddr>,
    /// Reports are kept so long; what was learned from them stays.
    pub keep: Duration,
}

#[derive(Clone, Debug)]
pub enum Database {
    /// SQLite, in a file of this folder.
    Folder(PathBuf),
    /// PostgreSQL.
    Url(String),
}
