//! What is kept, in SQLite or PostgreSQL.
//!
//! Every statement is written once and runs on both, through `sqlx::Any`: `$1` is a parameter to both, both know `ON CONFLICT` and
//! `RETURNING`, and texts, whole numbers and bytes are all that is kept. Two implementations of a trait would have said everything
//! twice, and the second could differ. What does differ is in [`Dialect`]. The price is that `Any` has no arrays, so many rows
//! go in as several `VALUES` of a few fixed sizes ([`rows`]), which both databases prepare once.
//!
//! A transaction that changes something begins with the right to write: SQLite gives it to one at a time, and waiting for it before
//! anything was read is the only way that cannot fail half-way. On PostgreSQL whoever analyses locks the row of the project.

mod bugs;
mod cohorts;
mod dead_letters;
mod inbox;
mod keys;
mod maps;
mod migrations;
mod notifications;
mod projects;
mod reports;
mod rows;

pub use bugs::BugFilter;
pub use dead_letters::DeadLetter;
pub use inbox::Pending;
pub use keys::{KeyKind, KeyRow, ListedKey};
pub use maps::{Content, ContentKind};
pub use reports::NewReport;

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{Any, AnyPoolOptions};
use sqlx::{AnyPool, Connection, Executor, Transaction};
use tokio::sync::{Mutex, OwnedMutexGuard};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ProjectId(pub i64);

#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    dialect: Dialect,
    /// SQLite has one writer. Ours wait here, in order, instead of asking again and again.
    turn: Arc<Mutex<()>>,
}

/// Where the two differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// A transaction that may write.
pub struct Writing {
    transaction: Transaction<'static, Any>,
    _turn: Option<OwnedMutexGuard<()>>,
}

#[derive(thiserror::Error, Debug)]
pub enum StoreError {
    #[error("the database: {0}")]
    Database(sqlx::Error),
    /// While a server runs.
    #[error("the database does not answer")]
    NotAnswering,
    #[error("the database {database} does not answer: {why}")]
    NotThere { database: String, why: String },
    #[error("the database cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    #[error("{0}: {1}")]
    Folder(String, std::io::Error),
    /// Something in the database is not what this build writes.
    #[error("the database holds something that this build cannot read: {0}")]
    Unreadable(String),
    #[error("the analysis of a report failed by a mistake of ours")]
    Panicked,
    #[error("a compressed text: {0}")]
    Compression(std::io::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => StoreError::NotAnswering,
            other => StoreError::Database(other),
        }
    }
}

impl StoreError {
    /// Whether the database answered, and what it holds cannot be used.
    pub fn is_of_contents(&self) -> bool {
        matches!(self, StoreError::Unreadable(_) | StoreError::Panicked | StoreError::Compression(_))
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// A database in this folder, which is made if need be and is the user's alone.
    pub async fn in_folder(folder: &Path) -> Result<Store> {
        let failed = |error| StoreError::Folder(folder.display().to_string(), error);
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let file = folder.canonicalize().map_err(failed)?.join("collect.sqlite");
        let encoded: String = file.to_string_lossy().bytes().map(in_url).collect();
        Store::open(&format!("sqlite://{encoded}?mode=rwc"), Dialect::Sqlite).await
    }

    /// `postgres://user@host/database`.
    pub async fn at_url(url: &str) -> Result<Store> {
        Store::open(url, Dialect::Postgres).await
    }

    async fn open(url: &str, dialect: Dialect) -> Result<Store> {
        sqlx::any::install_default_drivers();
        // A pool asks again and again, and says at last that it had no time.
        let tried = tokio::time::timeout(LONGEST_CONNECT, sqlx::AnyConnection::connect(url)).await;
        let not_there = |why: String| StoreError::NotThere { database: without_password(url), why };
        match tried {
            Ok(Ok(connection)) => connection.close().await?,
            Ok(Err(error)) => return Err(not_there(error.to_string())),
            Err(_) => return Err(not_there(format!("nothing came within {} s", LONGEST_CONNECT.as_secs()))),
        }
        let options =
            AnyPoolOptions::new().acquire_timeout(Duration::from_secs(10)).max_connections(dialect.connections());
        let pool = options
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    for setting in dialect.settings() {
                        connection.execute(*setting).await?;
                    }
                    Ok(())
                })
            })
            .connect(url)
            .await?;
        let store = Store { pool, dialect, turn: Arc::default() };
        migrations::run(&store).await?;
        Ok(store)
    }

    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub async fn begin(&self) -> Result<Writing> {
        let turn = match self.dialect {
            Dialect::Sqlite => Some(self.turn.clone().lock_owned().await),
            Dialect::Postgres => None,
        };
        let transaction = match self.dialect {
            Dialect::Sqlite => self.pool.begin_with("BEGIN IMMEDIATE").await?,
            Dialect::Postgres => self.pool.begin().await?,
        };
        Ok(Writing { transaction, _turn: turn })
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    pub async fn close(&self) {
        self.pool.close().await;
    }
}

impl Writing {
    /// What was written is durable when this returns.
    pub async fn commit(self) -> Result<()> {
        Ok(self.transaction.commit().await?)
    }
}

impl Dialect {
    /// SQLite loses a commit with the power unless `synchronous` is FULL; with the process it loses none.
    fn settings(self) -> &'static [&'static str] {
        match self {
            Dialect::Sqlite => {
                &["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA busy_timeout = 10000"]
            }
            Dialect::Postgres => &["SET synchronous_commit = on"],
        }
    }

    fn connections(self) -> u32 {
        match self {
            Dialect::Sqlite => 4,
            Dialect::Postgres => 12,
        }
    }

    /// So many reports share the transaction that analyses them. Where there is one writer, others wait for it with theirs.
    pub fn analysed_at_once(self) -> usize {
        match self {
            Dialect::Sqlite => 16,
            Dialect::Postgres => 256,
        }
    }

    /// How many batches of reports are committed at once.
    pub fn writers(self) -> usize {
        match self {
            Dialect::Sqlite => 1,
            Dialect::Postgres => 3,
        }
    }
}

const LONGEST_CONNECT: Duration = Duration::from_secs(10);

/// How a database is called in what is said about it: neither its password nor options. Of what is no address nothing is said, as
/// any part of it may be the password.
fn without_password(url: &str) -> String {
    named(url).unwrap_or_else(|| "that was named".to_owned())
}

fn named(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (authority, behind) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    // A password with one of these three in it, as it was not encoded; or options that may hold one.
    if behind.contains('@') {
        return None;
    }
    let path = behind.split(['?', '#']).next().unwrap_or_default();
    let (who, place) = authority.rsplit_once('@').map_or((None, authority), |(who, place)| (Some(who), place));
    let port = place.rsplit_once(':').filter(|_| !place.ends_with(']')).map_or("", |(_, port)| port);
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let user = who.map(|who| format!("{}@", who.split(':').next().unwrap_or_default())).unwrap_or_default();
    Some(format!("{scheme}://{user}{place}{path}"))
}

fn in_url(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_named_without_its_password() {
        assert_eq!(
            without_password("postgres://me:s3cret@db.local:5432/crashes?sslmode=x"),
            "postgres://me@db.local:5432/crashes"
        );
        assert_eq!(without_password("postgres://me:a@b@db/crashes"), "postgres://me@db/crashes");
        assert_eq!(without_password("postgres://db/crashes"), "postgres://db/crashes");
        assert_eq!(without_password("postgres://me:s3cret@[::1]/crashes"), "postgres://me@[::1]/crashes");
        for unreadable in [
            "s3cret",
            "postgres://me:s3cr?et@db/x",
            "postgres://me:s3cr/et@db/x",
            "postgres://me:s3cret",
            "postgres://db/x?password=s3cr@et",
        ] {
            assert_eq!(without_password(unreadable), "that was named", "{unreadable}");
        }
    }

    #[test]
    fn a_database_that_is_not_there_is_named() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // Nobody listens on the port of nothing.
        let opened = runtime.block_on(Store::at_url("postgres://me:s3cret@127.0.0.1:1/crashes"));
        let said = opened.map(drop).unwrap_err().to_string();
        assert!(said.starts_with("the database postgres://me@127.0.0.1:1/crashes does not answer: "), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
}
