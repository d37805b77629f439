use sqlx::Row;

use super::{ProjectId, Result, Store, StoreError, Writing};
use crate::webhook::Event;
use crate::wire::BugId;

/// Something that the webhook is to be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notification {
    pub seq: i64,
    pub project: ProjectId,
    pub project_name: String,
    pub bug: BugId,
    pub event: String,
    /// How often it was tried.
    pub n_tries: i64,
}

/// Whoever took a notification and did not come back leaves it to others after this time.
const TAKEN: i64 = 60_000;

impl Writing {
    /// Once, however often it is added before it was told.
    pub async fn add_notification(&mut self, project: ProjectId, bug: &BugId, event: Event, now: i64) -> Result<()> {
        sqlx::query(
            "INSERT INTO notifications (project, bug, event, n_tries, due_at) SELECT $1, $2, $3, 0, $4 WHERE NOT EXISTS \
             (SELECT 1 FROM notifications WHERE project = $1 AND bug = $2 AND event = $3)",
        )
            .bind(project.0)
            .bind(bug.to_string())
            .bind(event.name().to_owned())
            .bind(now)
            .execute(&mut *self.transaction)
            .await?;
        Ok(())
    }
}

impl Store {
    /// The one that is due longest. Other instances leave it alone for a minute.
    pub async fn next_notification(&self, now: i64) -> Result<Option<Notification>> {
        let due = "SELECT seq FROM notifications WHERE due_at <= $1 ORDER BY due_at, seq LIMIT 1";
        if sqlx::query(due).bind(now).fetch_optional(&self.pool).await?.is_none() {
            return Ok(None);
        }
        let mut writing = self.begin().await?;
        let found = sqlx::query(
            "SELECT notifications.seq, notifications.project, projects.name, notifications.bug, notifications.event, \
             notifications.n_tries, notifications.due_at FROM notifications JOIN projects ON projects.id = notifications.project \
             WHERE due_at <= $1 ORDER BY due_at, seq LIMIT 1",
        )
        .bind(now)
        .fetch_optional(&mut *writing.transaction)
        .await?;
        let Some(row) = found else { return Ok(None) };
        let (seq, bug, due_at): (i64, String, i64) = (row.try_get(0)?, row.try_get(3)?, row.try_get(6)?);
        let bug = match BugId::try_from(bug) {
            Ok(bug) => bug,
            // It stands in the way of no other.
            Err(why) => {
                remove(&mut writing, seq).await?;
                writing.commit().await?;
                return Err(StoreError::Unreadable(format!("the id of a bug: {why}")));
            }
        };
        let next = Notification {
            seq,
            project: ProjectId(row.try_get(1)?),
            project_name: row.try_get(2)?,
            bug,
            event: row.try_get(4)?,
            n_tries: row.try_get(5)?,
        };
        let claimed = sqlx::query("UPDATE notifications SET due_at = $1 WHERE seq = $2 AND due_at = $3")
            .bind(now + TAKEN)
            .bind(seq)
            .bind(due_at)
            .execute(&mut *writing.transaction)
            .await?;
        writing.commit().await?;
        // Another instance may have been quicker.
        Ok(Some(next).filter(|_| claimed.rows_affected() > 0))
    }

    pub async fn remove_notification(&self, seq: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        remove(&mut writing, seq).await?;
        writing.commit().await
    }

    /// After a try that failed.
    pub async fn put_off_notification(&self, seq: i64, due_at: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        sqlx::query("UPDATE notifications SET n_tries = n_tries + 1, due_at = $1 WHERE seq = $2")
            .bind(due_at)
            .bind(seq)
            .execute(&mut *writing.transaction)
            .await?;
        writing.commit().await
    }
}

async fn remove(writing: &mut Writing, seq: i64) -> Result<()> {
    sqlx::query("DELETE FROM notifications WHERE seq = $1").bind(seq).execute(&mut *writing.transaction).await?;
    Ok(())
}
