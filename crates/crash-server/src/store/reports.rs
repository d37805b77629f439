use std::collections::{BTreeSet, HashSet};

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
    /// Stores reports, all in one transaction: they are durable when this returns. Gives of each whether it was new,
    /// or None if its project was removed.
    pub async fn add_reports(&self, reports: &[NewReport]) -> Result<Vec<Option<bool>>> {
        let mut added: HashSet<(i64, String)> = HashSet::new();
        let mut writing = self.begin().await?;
        let mut there = BTreeSet::new();
        for project in reports.iter().map(|report| report.project).collect::<BTreeSet<ProjectId>>() {
            if writing.hold_project(self.dialect, project).await? {
                there.insert(project);
            }
        }
        let connection = &mut *writing.transaction;
        let stored: Vec<&NewReport> = reports.iter().filter(|report| there.contains(&report.project)).collect();
        for piece in pieces(&stored) {
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
        let is_new = |report: &NewReport| {
            there.contains(&report.project).then(|| added.remove(&(report.project.0, report.id.clone())))
        };
        Ok(reports.iter().map(is_new).collect())
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
