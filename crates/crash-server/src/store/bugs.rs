use sqlx::Row;
use sqlx::any::AnyRow;

use super::{ProjectId, Result, Store, StoreError, Writing};
use crate::bugs::Bug;
use crate::document::BugDocument;
use crate::wire::BugId;

impl Store {
    /// The newest first.
    pub async fn bugs(&self, project: ProjectId, limit: i64) -> Result<Vec<Bug>> {
        let rows = sqlx::query("SELECT document FROM bugs WHERE project = $1 ORDER BY last_seen DESC, id LIMIT $2")
            .bind(project.0)
            .bind(limit)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(bug).collect()
    }

    pub async fn growing_bugs(&self, project: ProjectId) -> Result<Vec<Bug>> {
        let rows = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND state = 'growing' ORDER BY id")
            .bind(project.0)
            .fetch_all(&self.pool)
            .await?;
        rows.iter().map(bug).collect()
    }

    pub async fn bug(&self, project: ProjectId, id: &BugId) -> Result<Option<Bug>> {
        let row = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND id = $2")
            .bind(project.0)
            .bind(id.to_string())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(bug).transpose()
    }
}

impl Writing {
    /// The bugs that a crash at this place may be.
    pub async fn bugs_at(&mut self, project: ProjectId, place: &str) -> Result<Vec<Bug>> {
        let rows = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND place = $2 ORDER BY id")
            .bind(project.0)
            .bind(place.to_owned())
            .fetch_all(&mut *self.transaction)
            .await?;
        rows.iter().map(bug).collect()
    }

    /// To be called by whoever has locked the project.
    pub async fn bug(&mut self, project: ProjectId, id: &BugId) -> Result<Option<Bug>> {
        let row = sqlx::query("SELECT document FROM bugs WHERE project = $1 AND id = $2")
            .bind(project.0)
            .bind(id.to_string())
            .fetch_optional(&mut *self.transaction)
            .await?;
        row.as_ref().map(bug).transpose()
    }

    pub async fn put_bug(&mut self, project: ProjectId, bug: &Bug) -> Result<()> {
        let document = serde_json::to_string(&BugDocument::from(bug)).expect("a document of ours has no odd keys");
        sqlx::query(
            "INSERT INTO bugs (project, id, place, state, last_seen, document) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (project, id) DO UPDATE SET \
             state = excluded.state, last_seen = excluded.last_seen, document = excluded.document",
        )
        .bind(project.0)
        .bind(bug.id.to_string())
        .bind(bug.place.clone())
        .bind(bug.state.name().to_owned())
        .bind(bug.last_seen)
        .bind(document)
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }
}

fn bug(row: &AnyRow) -> Result<Bug> {
    let document: String = row.try_get(0)?;
    let document: BugDocument =
        serde_json::from_str(&document).map_err(|error| StoreError::Unreadable(format!("a bug: {error}")))?;
    Ok(document.into())
}
