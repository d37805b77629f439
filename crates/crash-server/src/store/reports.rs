use std::collections::HashSet;

use sqlx::{AssertSqlSafe, Row};

use super::rows::{pieces, placeholders};
use super::{ProjectId, Result, Store};

/// A report that was found to be good, as it is stored.
#[derive(Clone, Debug)]
pub struct NewReport {
    pub project: ProjectId,
    pub id: String,
    /// The id of the key that it came with.
    pub key: String,
    pub received_at: i64,
    pub body: String,
}

impl Store {
    /// Stores reports, all in one transaction: they are durable when this returns. Gives of each whether it was new.
    pub async fn add_reports(&self, reports: &[NewReport]) -> Result<Vec<bool>> {
        let mut added: HashSet<(i64, String)> = HashSet::new();
        let mut writing = self.begin().await?;
        let connection = &mut *writing.transaction;
        for piece in pieces(reports) {
            let text = format!(
                "INSERT INTO reports (project, id, received_at, body, sender) VALUES {} \
                 ON CONFLICT (project, id) DO NOTHING RETURNING project, id",
                placeholders(piece.len(), 5, 1)
            );
            let mut query = sqlx::query(AssertSqlSafe(text));
            for report in piece {
                query = query
                    .bind(report.project.0)
                    .bind(report.id.clone())
                    .bind(report.received_at)
                    .bind(report.body.clone())
                    .bind(report.key.clone());
            }
            for row in query.fetch_all(&mut *connection).await? {
                added.insert((row.try_get(0)?, row.try_get(1)?));
            }
        }
        let for_inbox: Vec<&(i64, String)> = added.iter().collect();
        for piece in pieces(&for_inbox) {
            let text = format!("INSERT INTO inbox (project, report) VALUES {}", placeholders(piece.len(), 2, 1));
            let mut query = sqlx::query(AssertSqlSafe(text));
            for (project, id) in piece {
                query = query.bind(*project).bind(id.clone());
            }
            query.execute(&mut *connection).await?;
        }
        writing.commit().await?;
        // Of two reports with one id in the same batch, one is new.
        Ok(reports.iter().map(|report| added.remove(&(report.project.0, report.id.clone()))).collect())
    }

    /// Removes what is older than this, if it was analysed. Gives how many that were.
    pub async fn remove_reports_before(&self, time: i64) -> Result<u64> {
        let mut writing = self.begin().await?;
        let done = sqlx::query(
            "DELETE FROM reports WHERE received_at < $1 AND NOT EXISTS \
             (SELECT 1 FROM inbox WHERE inbox.project = reports.project AND inbox.report = reports.id)",
        )
        .bind(time)
        .execute(&mut *writing.transaction)
        .await?;
        sqlx::query(
            "DELETE FROM dead_letters WHERE NOT EXISTS \
             (SELECT 1 FROM reports WHERE reports.project = dead_letters.project AND reports.id = dead_letters.report)",
        )
        .execute(&mut *writing.transaction)
        .await?;
        writing.commit().await?;
        Ok(done.rows_affected())
    }
}
