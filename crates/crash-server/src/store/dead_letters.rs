use sqlx::{AssertSqlSafe, Row};

use super::rows::{pieces, placeholders};
use super::{Pending, ProjectId, Result, Store, Writing};

/// A report that could not be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeadLetter {
    pub project: String,
    pub report: String,
    pub reason: String,
    pub failed_at: i64,
}

impl Store {
    /// The oldest first.
    pub async fn dead_letters(&self) -> Result<Vec<DeadLetter>> {
        let rows = sqlx::query(
            "SELECT projects.name, dead_letters.report, dead_letters.reason, dead_letters.failed_at FROM dead_letters \
             JOIN projects ON projects.id = dead_letters.project ORDER BY dead_letters.failed_at, dead_letters.report",
        )
        .fetch_all(&self.pool)
        .await?;
        let letter = |row: &sqlx::any::AnyRow| {
            Ok(DeadLetter {
                project: row.try_get(0)?,
                report: row.try_get(1)?,
                reason: row.try_get(2)?,
                failed_at: row.try_get(3)?,
            })
        };
        rows.iter().map(letter).collect()
    }

    /// How many reports wait for their analysis, and how many have failed.
    pub async fn count_waiting(&self) -> Result<(i64, i64)> {
        let row = sqlx::query("SELECT (SELECT COUNT(*) FROM inbox), (SELECT COUNT(*) FROM dead_letters)")
            .fetch_one(&self.pool)
            .await?;
        Ok((row.try_get(0)?, row.try_get(1)?))
    }

    /// Puts them all back into the inbox. Gives how many there were.
    pub async fn retry_dead_letters(&self) -> Result<u64> {
        let mut writing = self.begin().await?;
        let connection = &mut *writing.transaction;
        // One statement: what is put aside meanwhile stays.
        let rows =
            sqlx::query("DELETE FROM dead_letters RETURNING project, report").fetch_all(&mut *connection).await?;
        let mut letters: Vec<(i64, String)> = Vec::with_capacity(rows.len());
        for row in &rows {
            letters.push((row.try_get(0)?, row.try_get(1)?));
        }
        for piece in pieces(&letters) {
            let text = format!("INSERT INTO inbox (project, report) VALUES {}", placeholders(piece.len(), 2, 1));
            let mut query = sqlx::query(AssertSqlSafe(text));
            for (project, report) in piece {
                query = query.bind(*project).bind(report.clone());
            }
            query.execute(&mut *connection).await?;
        }
        writing.commit().await?;
        Ok(letters.len() as u64)
    }

    /// Takes a report out of the inbox that cannot be analysed.
    pub async fn bury(&self, report: &Pending, reason: &str, now: i64) -> Result<()> {
        let mut writing = self.begin().await?;
        let taken = sqlx::query("DELETE FROM inbox WHERE project = $1 AND report = $2")
            .bind(report.project.0)
            .bind(report.id.clone())
            .execute(&mut *writing.transaction)
            .await?;
        // Another instance may have been luckier with it, or the project was removed.
        if taken.rows_affected() > 0 && writing.hold_project(self.dialect, report.project).await? {
            writing.add_dead_letter(report.project, &report.id, reason, now).await?;
        }
        writing.commit().await
    }
}

impl Writing {
    /// For a report that was taken out of the inbox in this transaction.
    pub async fn add_dead_letter(&mut self, project: ProjectId, report: &str, reason: &str, now: i64) -> Result<()> {
        sqlx::query(
            "INSERT INTO dead_letters (project, report, reason, failed_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (project, report) DO UPDATE SET reason = excluded.reason, failed_at = excluded.failed_at",
        )
        .bind(project.0)
        .bind(report.to_owned())
        .bind(reason.to_owned())
        .bind(now)
        .execute(&mut *self.transaction)
        .await?;
        Ok(())
    }
}
