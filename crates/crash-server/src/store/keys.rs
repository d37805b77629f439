use sqlx::Row;
use sqlx::any::AnyRow;

use super::{ProjectId, Result, Store, StoreError};

/// What a key allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// Fetching policies and sending reports. It lies on every user's machine.
    Report,
    /// Reading bugs and uploading sources.
    Operator,
}

/// A key as the database knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRow {
    pub project: ProjectId,
    pub project_name: String,
    pub kind: KeyKind,
    /// SHA-256 of the key, in hexadecimal digits.
    pub digest: String,
}

/// A key as it is shown to whoever manages them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedKey {
    pub id: String,
    pub project: String,
    pub kind: KeyKind,
    pub created_at: i64,
    pub is_revoked: bool,
}

impl KeyKind {
    pub fn name(self) -> &'static str {
        match self {
            KeyKind::Report => "report",
            KeyKind::Operator => "operator",
        }
    }
}

impl Store {
    /// Adds the project, too, if it is new.
    pub async fn add_key(&self, project: &str, kind: KeyKind, id: &str, digest: &str, now: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        let connection = &mut *writing.transaction;
        // An update waits for whoever removes the project, and then it is a new one.
        sqlx::query("INSERT INTO projects (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name")
            .bind(project.to_owned())
            .execute(&mut *connection)
            .await?;
        sqlx::query(
            "INSERT INTO keys (id, project, kind, digest, created_at) SELECT $1, id, $2, $3, $4 FROM projects WHERE name = $5",
        )
        .bind(id.to_owned())
        .bind(kind.name().to_owned())
        .bind(digest.to_owned())
        .bind(now)
        .bind(project.to_owned())
        .execute(&mut *connection)
        .await?;
        writing.commit().await
    }

    /// None if there is no such key, or it was revoked.
    pub async fn key(&self, id: &str) -> Result<Option<KeyRow>> {
        let found = sqlx::query(
            "SELECT keys.project, projects.name, keys.kind, keys.digest FROM keys JOIN projects ON projects.id = keys.project \
             WHERE keys.id = $1 AND keys.revoked_at = 0",
        )
        .bind(id.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        found.map(|row| key_row(&row)).transpose()
    }

    pub async fn keys(&self) -> Result<Vec<ListedKey>> {
        let rows = sqlx::query(
            "SELECT keys.id, projects.name, keys.kind, keys.created_at, keys.revoked_at FROM keys \
             JOIN projects ON projects.id = keys.project ORDER BY projects.name, keys.created_at, keys.id",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(ListedKey {
                    id: row.try_get(0)?,
                    project: row.try_get(1)?,
                    kind: kind(row.try_get(2)?)?,
                    created_at: row.try_get(3)?,
                    is_revoked: row.try_get::<i64, _>(4)? != 0,
                })
            })
            .collect()
    }

    /// Gives whether there was such a key.
    pub async fn revoke_key(&self, id: &str, now: i64) -> Result<bool> {
        let mut writing = self.begin().await?;
        let done = sqlx::query("UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at = 0")
            .bind(now)
            .bind(id.to_owned())
            .execute(&mut *writing.transaction)
            .await?;
        writing.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}

fn key_row(row: &AnyRow) -> Result<KeyRow> {
    Ok(KeyRow {
        project: ProjectId(row.try_get(0)?),
        project_name: row.try_get(1)?,
        kind: kind(row.try_get(2)?)?,
        digest: row.try_get(3)?,
    })
}

fn kind(name: String) -> Result<KeyKind> {
    let kinds = [KeyKind::Report, KeyKind::Operator];
    let known = kinds.into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| StoreError::Unreadable(format!("a key of kind {name}")))
}
