//! The tables. A change of them is a further migration, never a change of one that was released.

use std::borrow::Cow;

use sqlx::AssertSqlSafe;
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::{Dialect, Result, Store};

const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "first", include_str!("../../migrations/0001_first.sql")),
    (2, "operating", include_str!("../../migrations/0002_operating.sql")),
];

/// Instances that start together on one PostgreSQL do not disturb each other: sqlx holds a lock.
pub async fn run(store: &Store) -> Result<()> {
    let migrations = MIGRATIONS.iter().map(|(version, name, text)| {
        let sql = AssertSqlSafe(for_dialect(text, store.dialect)).into_sql_str();
        Migration::new(*version, Cow::Borrowed(name), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect()).run(&store.pool).await?;
    Ok(())
}

fn for_dialect(text: &str, dialect: Dialect) -> String {
    let (bytes, counter) = match dialect {
        Dialect::Sqlite => ("BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"),
        Dialect::Postgres => ("BYTEA", "BIGSERIAL PRIMARY KEY"),
    };
    text.replace("{BYTES}", bytes).replace("{COUNTER}", counter)
}
